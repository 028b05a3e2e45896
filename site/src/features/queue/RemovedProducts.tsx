import { dateTime, number } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Note } from '../../ui/Note.tsx';
import { productName } from '../admin/productName.ts';
import { messageOf, useAdminRead } from '../admin/screen.ts';
import { Thumb } from '../slots/Thumb.tsx';
import type { QueueScreen } from './queue.ts';
import { useRestore } from './restore.ts';

/** Removed products that can be restored, for 30 days (product R16). */
export function RemovedProducts({ screen }: { screen: QueueScreen }) {
  const { language, t, api, send } = screen;
  const read = useAdminRead(screen, ['queue', 'removed'], () =>
    send(api.admin.queue.removed.$get()),
  );
  const restore = useRestore(screen);
  const products = read.data?.products;
  if (!products)
    return read.error ? (
      <Note tone="bad">{t('removedFailed', { reason: messageOf(read.error) })}</Note>
    ) : null;
  return (
    <details className="panel removed">
      <summary>
        <h2>{t('removedList')}</h2>{' '}
        <span className="queue__count">{number(products.length, language)}</span>
      </summary>
      {products.length === 0 && <p className="soft">{t('noneRemoved')}</p>}
      <ul className="removed__list">
        {products.map((product) => {
          const name = productName(product, screen);
          return (
            <li key={product.id}>
              <Thumb image={product.image} none={t('noImage')} failed={t('imageUnavailable')} />
              <div className="waiting__words">
                <h3 dir="auto">{name}</h3>
                <p className="soft" dir="auto">
                  {product.sellerName}
                </p>
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
