import { phoneText } from '../../../../api/shared/contact/readPhone.ts';
import { placeParts } from '../../../../api/shared/places/regions.ts';
import { isolate } from '../../../../locales/isolate.ts';
import { dateTime, number } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import type { Asking, Seller, SellersScreen } from './sellers.ts';

type Props = { screen: SellersScreen; sellers: readonly Seller[]; onAsk: (asking: Asking) => void };

/** Table of sellers, cards on phones. Numbers and addresses are for admins only. */
export function SellerTable({ screen, sellers, onAsk }: Props) {
  const { t, language } = screen;
  const columns: Column<Seller>[] = [
    {
      key: 'name',
      header: t('columns.name'),
      kind: 'main',
      cell: ({ name, businessName, location, region }) => (
        <>
          <bdi className="sellers__name">{name}</bdi>
          {businessName && <bdi className="soft small sellers__line">{businessName}</bdi>}
          {location && (
            <bdi className="soft small sellers__line">
              {placeParts([location], region, region ? t(`regions.${region}`) : undefined).join(
                ', ',
              )}
            </bdi>
          )}
        </>
      ),
    },
    {
      key: 'status',
      header: t('columns.status'),
      cell: (seller) => <Standing screen={screen} seller={seller} />,
    },
    {
      key: 'email',
      header: t('columns.email'),
      cell: ({ email, whatsapp }) => (
        <>
          <a className="sellers__address" href={`mailto:${email}`}>
            {email}
          </a>
          {whatsapp && <span className="sellers__line sellers__number">{phoneText(whatsapp)}</span>}
        </>
      ),
    },
    {
      key: 'products',
      header: t('columns.products'),
      cell: ({ products }) => (
        <>
          <strong className="sellers__total">{number(products.total, language)}</strong>
          {products.total > 0 && (
            <span className="soft small sellers__line">
              {t('productCounts', {
                live: products.live,
                queued: products.queued,
                pending: products.pending,
              })}
            </span>
          )}
        </>
      ),
    },
    {
      key: 'joined',
      header: t('columns.joined'),
      cell: ({ createdAt }) => dateTime(createdAt, language, 'date'),
    },
    {
      key: 'actions',
      header: t('columns.actions'),
      kind: 'actions',
      cell: (seller) => <Acts screen={screen} seller={seller} onAsk={onAsk} />,
    },
  ];
  return (
    <DataTable wide caption={t('title')} columns={columns} rows={sellers} rowKey={({ id }) => id} />
  );
}

/**
 * Verification, with its source and whether the present number is meant, and suspension with date
 * and reason.
 */
function Standing({ screen: { t, language }, seller }: { screen: SellersScreen; seller: Seller }) {
  const {
    verified,
    verifiedEarlier,
    verifiedBy,
    suspended,
    suspendedAt,
    suspendedReason,
    leavingAt,
  } = seller;
  return (
    <div className="sellers__standing">
      {suspended && (
        <>
          <Badge tone="bad">{t('suspended')}</Badge>
          <span className="small">
            {suspendedAt && t('suspendedSince', { date: dateTime(suspendedAt, language) })}
            <br />
            {t('suspendedReason', { reason: suspendedReason ?? '' })}
          </span>
        </>
      )}
      {leavingAt && (
        <>
          <Badge tone="wait">{t('leaving')}</Badge>
          <span className="small">
            {t('leavingSince', { date: dateTime(leavingAt, language) })}
          </span>
        </>
      )}
      {verified ? (
        <Badge tone="good">{t('verified')}</Badge>
      ) : verifiedEarlier ? (
        <Badge tone="wait">{t('verifiedEarlier')}</Badge>
      ) : (
        <Badge tone="plain">{t('unverified')}</Badge>
      )}
      {verifiedEarlier && <span className="soft small">{t('verifiedEarlierText')}</span>}
      {verified && verifiedBy && (
        <span className="soft small">{t(`verifiedBy.${verifiedBy}`)}</span>
      )}
    </div>
  );
}

function Acts({
  screen: { t },
  seller,
  onAsk,
}: {
  screen: SellersScreen;
  seller: Seller;
  onAsk: Props['onAsk'];
}) {
  const button = (about: Asking['about'], variant: 'quiet' | 'bare' = 'quiet') => (
    <Button
      compact
      variant={variant}
      aria-label={`${t(about)}: ${isolate(seller.name)}`}
      onClick={() => onAsk({ about, seller })}
    >
      {t(about)}
    </Button>
  );
  return (
    <>
      {!seller.verified && button('verify')}
      {(seller.verified || seller.verifiedEarlier) && button('unverify')}
      {button(seller.suspended ? 'unsuspend' : 'suspend')}
      {button('notify')}
      {seller.mayLinkChat && button('chatCode')}
      {button('delete', 'bare')}
    </>
  );
}
