import { slotNumber } from '../../../../api/shared/slots.ts';
import { inLanguage } from '../../../../api/shared/text.ts';
import { clamp, number } from '../../lib/format.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import '../../ui/plate.css';
import './card.css';
import { productName } from '../admin/productName.ts';
import { useClock } from './clock.ts';
import { type Held, isHeld, type Slot, type Spoken, secondsLeft, span, stateAt } from './slots.ts';
import { Thumb } from './Thumb.tsx';

export type SlotAct = 'edit' | 'pause' | 'resume' | 'remove' | 'assign';
type CardProps = Spoken & {
  onAct: (act: SlotAct, slot: Slot) => void;
  href: (slotId: number) => string;
};

const tones: Record<Slot['state'], BadgeTone> = {
  live: 'good',
  paused: 'wait',
  expired: 'bad',
  empty: 'plain',
};
const names = {
  live: 'stateActive',
  paused: 'statePaused',
  expired: 'stateExpired',
  empty: 'stateEmpty',
} as const;
const longestDescription = 110;

/**
 * A slot with its product and actions, or an empty place (product §2 /admin/slots).
 */
export function SlotCard({ slot, ...props }: CardProps & { slot: Slot }) {
  return isHeld(slot) ? <HeldSlot slot={slot} {...props} /> : <FreeSlot slot={slot} {...props} />;
}

function FreeSlot({ slot, t, onAct }: CardProps & { slot: Slot }) {
  const placement = slot.premium ? t('premiumPlacement') : t('standardPlacement');
  return (
    <li className="slot slot--free" id={`slot-${slot.id}`} data-slot={slot.id} data-state="empty">
      <h3 className="slot__number">
        <span className="unseen">{t('number', { slot: slotNumber(slot.id) })}</span>
        <span aria-hidden="true">#{slotNumber(slot.id)}</span>
      </h3>
      <p className="slot__free">
        <strong>{t('available')}</strong>
        <span>{placement}</span>
        <span className="unseen">{t('stateEmpty')}</span>
      </p>
      <Button
        compact
        aria-label={t('actionOn', {
          action: t('assign'),
          name: t('number', { slot: slotNumber(slot.id) }),
        })}
        title={t('assign')}
        onClick={() => onAct('assign', slot)}
      >
        <Icon name="plus" />
        <span className="slot__fill">{t('assign')}</span>
      </Button>
    </li>
  );
}

function HeldSlot({ slot, language, t, onAct, href }: CardProps & { slot: Held }) {
  const state = useClock((now) => stateAt(slot, now));
  const { product, engagement } = slot;
  const name = productName(product, { language, t });
  const act = (label: 'edit' | 'pause' | 'resume' | 'remove') => ({
    'aria-label': t('actionOn', { action: t(label), name }),
    onClick: () => onAct(label, slot),
  });
  const counts = [
    ['views', engagement.views],
    ['messageTaps', engagement.messageTaps],
    ['shares', engagement.shares],
  ] as const;
  return (
    <li className="slot" id={`slot-${slot.id}`} data-slot={slot.id} data-state={state}>
      <div className="slot__top">
        <span
          className="plate slot__plate"
          role="img"
          aria-label={t('number', { slot: slotNumber(slot.id) })}
        >
          #{slotNumber(slot.id)}
        </span>
        <Badge tone={tones[state]}>
          {state === 'paused'
            ? t('pausedWithLeft', { left: span(slot.remainingSeconds ?? 0, t, 'left') })
            : t(names[state])}
        </Badge>
        {slot.isFeatured && (
          <span className="slot__mark" title={t('featured')}>
            <Badge tone="info" icon="flag">
              <span className="unseen">{t('featured')}</span>
            </Badge>
          </span>
        )}
        {state === 'live' && <TimeLeft slot={slot} t={t} />}
      </div>
      <div className="slot__body">
        <Thumb image={product.images[0]} none={t('noImage')} failed={t('imageUnavailable')} />
        <div className="slot__words">
          <h3 dir="auto">{state === 'live' ? <a href={href(slot.id)}>{name}</a> : name}</h3>
          <p className="slot__text" dir="auto">
            {clamp(
              inLanguage(product.description, language) ?? t('noDescription'),
              longestDescription,
            )}
          </p>
          <p className="slot__seller">
            {product.sellerName && t('seller', { name: product.sellerName })}
          </p>
          {(slot.pausedBy === 'suspension' || product.sellerSuspended) && (
            <p className="slot__held">{t('sellerSuspended')}</p>
          )}
        </div>
      </div>
      <dl className="slot__counts" aria-label={t('engagement')}>
        {counts.map(([key, count]) => (
          <div key={key}>
            <dt>{t(key)}</dt>
            <dd>{number(count, language)}</dd>
          </div>
        ))}
      </dl>
      <div className="slot__acts">
        <Button compact {...act('edit')}>
          {t('edit')}
        </Button>
        {state === 'paused'
          ? !product.sellerSuspended && (
              <Button compact {...act('resume')}>
                {t('resume')}
              </Button>
            )
          : state !== 'expired' && (
              <Button compact {...act('pause')}>
                {t('pause')}
              </Button>
            )}
        <Button compact {...act('remove')}>
          {t('remove')}
        </Button>
      </div>
    </li>
  );
}

/**
 * Time left in days, hours and minutes (product §4), coloured in the last hours as on the market.
 */
function TimeLeft({ slot, t }: Pick<Spoken, 't'> & { slot: Held }) {
  const words = useClock((now) => span(secondsLeft(slot, now), t, 'left'));
  const mood = useClock((now) => {
    const hours = secondsLeft(slot, now) / 3600;
    return hours < 1 ? 'urgent' : hours < 6 ? 'warm' : 'calm';
  });
  return (
    <span className="slot__left" data-mood={mood}>
      {words}
    </span>
  );
}
