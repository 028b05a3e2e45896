import { slotNumber } from '../../../../api/shared/slots.ts';
import { isolate } from '../../../../locales/isolate.ts';
import { dateTime } from '../../lib/format.ts';
import { path, slotPath } from '../../lib/paths.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { productName } from '../admin/productName.ts';
import { ReportedFor } from './ReportedFor.tsx';
import type { Reported, ReportsScreen } from './reports.ts';

type Props = {
  screen: ReportsScreen;
  product: Reported;
  onDismiss: (product: Reported) => void;
  onRemove: (product: Reported) => void;
};
/** Reported product with reasons, notes and actions. */
export function ReportedCard({
  screen: { t, language, isAdmin },
  product,
  onDismiss,
  onRemove,
}: Props) {
  const { status, removed, slotId, sellerName, sellerSuspended, count, latestAt, reasons, notes } =
    product;
  const name = productName(product, { language, t });
  const to = (address: string) => path(address, { language, prefixed: true });
  return (
    <li className="reported panel">
      <div className="row row--apart reported__head">
        <h2 dir="auto">{name}</h2>
        <Badge tone="bad" icon="flag">
          {t('count', { count })}
        </Badge>
      </div>
      <p className="row soft small">
        {sellerName && <span>{t('seller', { name: sellerName })}</span>}
        {sellerSuspended && <Badge tone="bad">{t('sellerSuspended')}</Badge>}
        {removed ? (
          <Badge tone="plain" icon="bin">
            {t('removedBadge')}
          </Badge>
        ) : slotId !== null ? (
          <Badge tone="good" icon="pin">
            {t('inSlot', { slot: slotNumber(slotId) })}
          </Badge>
        ) : (
          status && <Badge>{t(`status.${status}`)}</Badge>
        )}
        <span>{t('latest', { date: dateTime(latestAt, language) })}</span>
      </p>
      <ReportedFor {...{ t, language, count, reasons, notes }} />
      <div className="row reported__acts">
        {slotId !== null && !removed && (
          <ButtonLink href={to(slotPath(slotId))} target="_blank" rel="noopener">
            {t('view')}
          </ButtonLink>
        )}
        {isAdmin && sellerName && product.sellerId && (
          <ButtonLink href={to(`/admin/users?search=${encodeURIComponent(sellerName)}`)}>
            {t('openSeller')}
          </ButtonLink>
        )}
        <Button aria-label={`${t('dismiss')}: ${isolate(name)}`} onClick={() => onDismiss(product)}>
          {t('dismiss')}
        </Button>
        {!removed && (
          <Button
            variant="danger"
            aria-label={`${t('remove')}: ${isolate(name)}`}
            onClick={() => onRemove(product)}
          >
            {t('remove')}
          </Button>
        )}
      </div>
    </li>
  );
}
