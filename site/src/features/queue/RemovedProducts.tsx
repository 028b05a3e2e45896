import { unwrap } from '../../lib/api.ts';
import { dateTime, number } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Note } from '../../ui/Note.tsx';
import { useRead, why } from '../admin/desk.tsx';
import { Thumb } from '../slots/Thumb.tsx';
import { nameOf, type QueueDesk } from './queue.ts';
import { useRestore } from './restore.ts';

/** Removed products that can still be given back, for 30 days (product R16). */
export function RemovedProducts({ desk }: { desk: QueueDesk }) {
  const { language, t, d, api, lost } = desk;
  const read = useRead(['queue', 'removed'], () => unwrap(api.admin.queue.removed.$get(), d('connection')), { lost });
  const restore = useRestore(desk);
  const products = read.data?.products;
  if (!products) return read.error ? <Note tone="bad">{t('removedFailed', { reason: why(read.error) })}</Note> : null;
  return (
    <details className="panel removed">
      <summary>
        <h2>{t('removedList')}</h2> <span className="queue__count">{number(products.length, language)}</span>
      </summary>
      {products.length === 0 && <p className="soft">{t('noneRemoved')}</p>}
      <ul className="removed__list">
        {products.map((product) => {
          const name = nameOf(product, desk);
          return (
            <li key={product.id}>
              <Thumb image={product.image} none={t('noImage')} failed={t('imageUnavailable')} />
              <div className="waiting__words">
                <h3>{name}</h3>
                <p className="soft">{product.sellerName}</p>
                <p className="soft">
                  {t('removedFrom', { date: dateTime(product.removedAt, language, 'date') })}
                  {'. '}
                  {t('removedUntil', { date: dateTime(product.restorableUntil, language, 'date') })}
                </p>
              </div>
              <Button
                compact
                aria-label={t('actionOn', { action: t('restore'), name })}
                busy={restore.isPending && restore.variables === product.id}
                onClick={() => restore.mutate(product.id)}
              >
                {t('restore')}
              </Button>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
