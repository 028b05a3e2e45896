import { bytes, number, percent } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Note } from '../../ui/Note.tsx';
import { Progress } from '../../ui/Progress.tsx';
import type { CleanupScreen } from './words.ts';

type Figures = {
  estimate: { images: number; bytes: number; totalBytes: number; percent: number };
  measured: { bytes: number; files: number } | null;
  percent: number;
  status: 'optimal' | 'moderate' | 'high';
  warning: boolean;
};
const tones = { optimal: 'good', moderate: 'wait', high: 'bad' } as const;

/** Estimated storage with its status, and the measured bytes (product §4, §9; product R28). */
export function Storage({
  figures,
  screen: { t, language },
}: {
  figures: Figures;
  screen: CleanupScreen;
}) {
  const { estimate, measured, status, warning } = figures;
  const megabytes = (size: number) =>
    number(size / 1_000_000, language, {
      style: 'unit',
      unit: 'megabyte',
      unitDisplay: 'short',
      maximumFractionDigits: 1,
    });
  const share = (size: number) =>
    t('percent', {
      percent: percent(size / estimate.totalBytes, language).replaceAll(/[\s%]/g, ''),
    });
  return (
    <div className="stack">
      <p className="row">
        {t('status.label')}
        <Badge tone={tones[status]}>{t(`status.${status}`)}</Badge>
      </p>
      {warning && <Note tone="bad">{t('highWarning')}</Note>}
      <div>
        <Progress
          label={t('estimate', {
            used: megabytes(estimate.bytes),
            total: megabytes(estimate.totalBytes),
          })}
          value={Math.min(estimate.bytes, estimate.totalBytes)}
          max={estimate.totalBytes}
          text={share(estimate.bytes)}
        />
        <p className="soft small cleanup__hint">{t('estimateHint')}</p>
      </div>
      {measured ? (
        <Progress
          label={t('measuredFiles', {
            used: bytes(measured.bytes, language),
            files: number(measured.files, language),
          })}
          value={Math.min(measured.bytes, estimate.totalBytes)}
          max={estimate.totalBytes}
          text={share(measured.bytes)}
          tone="good"
        />
      ) : (
        <Note tone="bad">{t('storageUnavailable')}</Note>
      )}
    </div>
  );
}
