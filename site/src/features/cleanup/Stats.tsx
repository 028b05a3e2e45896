import { dateTime, number } from '../../lib/format.ts';
import type { CleanupScreen } from './words.ts';

type Figures = {
  total_operations: number;
  total_cleaned_products: number;
  total_deleted_images: number;
  total_archived_products: number;
  last_cleanup: string | null;
  due: { products: number; images: number };
};

const none: Figures = {
  total_operations: 0,
  total_cleaned_products: 0,
  total_deleted_images: 0,
  total_archived_products: 0,
  last_cleanup: null,
  due: { products: 0, images: 0 },
};

/**
 * Results of the last 30 days' runs (product §3 Cleanup stats) and the work due; empty cards while
 * loading.
 */
export function Stats({
  figures: known,
  screen: { t, language },
}: {
  figures?: Figures;
  screen: CleanupScreen;
}) {
  const figures = known ?? none;
  const { due } = figures;
  const cards = [
    ['totalOperations', number(figures.total_operations, language)],
    ['totalCleanedProducts', number(figures.total_cleaned_products, language)],
    ['totalDeletedImages', number(figures.total_deleted_images, language)],
    ['totalArchivedProducts', number(figures.total_archived_products, language)],
  ] as const;
  return (
    <dl
      className={
        known
          ? 'columns columns--small cleanup__figures'
          : 'columns columns--small cleanup__figures cleanup__figures--empty'
      }
      aria-hidden={!known}
    >
      {cards.map(([name, value]) => (
        <div key={name} className="figure">
          <dt className="figure__label">{t(name)}</dt>
          <dd className="figure__value">{value}</dd>
        </div>
      ))}
      <div className="figure">
        <dt className="figure__label">{t('lastCleanup')}</dt>
        <dd className="cleanup__when">
          {figures.last_cleanup ? (
            <time dateTime={figures.last_cleanup}>{dateTime(figures.last_cleanup, language)}</time>
          ) : (
            t('never')
          )}
        </dd>
      </div>
      <div className="figure">
        <dt className="figure__label">{t('due')}</dt>
        <dd className="cleanup__when">
          {t('completedProducts', { count: due.products })},{' '}
          {t('completedImages', { count: due.images })}
        </dd>
      </div>
    </dl>
  );
}
