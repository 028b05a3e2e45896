import type { MouseEvent } from 'react';
import { slotNumber } from '../../../../api/shared/slots.ts';
import { dateTime, number } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/icons.ts';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { productName } from '../admin/productName.ts';
import { Thumb } from '../slots/Thumb.tsx';
import type { Direction, QueueScreen, Waiting } from './queue.ts';

type Props = Pick<QueueScreen, 'language' | 't'> & {
  item: Waiting;
  /** Direction of this product's move, or 'other' during another's. */
  busy: Direction | 'other' | null;
  onMove: (direction: Direction) => void;
  onAssign: () => void;
  onRemove: () => void;
};
const steps: readonly [Direction, 'moveUp' | 'moveDown' | 'moveTop', IconName][] = [
  ['up', 'moveUp', 'up'],
  ['down', 'moveDown', 'down'],
  ['top', 'moveTop', 'top'],
];

/** Waiting product. Every button's label names it. */
export function QueueItem({ item, language, t, busy, onMove, onAssign, onRemove }: Props) {
  const { position, product, seller, preferredSlot, ahead, behind } = item;
  const name = productName(product, { language, t });
  const label = (action: string) => t('actionOn', { action, name });
  const possible = { up: ahead !== null, down: behind !== null, top: ahead !== null };
  return (
    <li
      className="waiting"
      data-product={item.productId}
      data-skipped={seller.suspended || undefined}
    >
      <span className="waiting__place">
        <span className="unseen">{t('position')} </span>
        {number(position, language)}
      </span>
      <Thumb image={product.image} none={t('noImage')} failed={t('imageUnavailable')} />
      <div className="waiting__words">
        <h3 dir="auto">{name}</h3>
        <p className="soft">
          <span className="unseen">{t('seller')} </span>
          <bdi>{seller.name}</bdi>
        </p>
        {(preferredSlot !== null || seller.suspended) && (
          <p className="row">
            {preferredSlot !== null && (
              <Badge tone="info" icon="pin">
                {t('preferredSlot', { slot: slotNumber(preferredSlot) })}
              </Badge>
            )}
            {seller.suspended && <Badge tone="bad">{t('sellerSuspended')}</Badge>}
          </p>
        )}
      </div>
      <dl className="waiting__times">
        <div>
          <dt>{t('queuedAt')}</dt>
          <dd>{dateTime(item.queuedAt, language)}</dd>
        </div>
        <div>
          <dt>{t('wait')}</dt>
          <dd>
            {t('waitEstimate', {
              value: t('waitHours', { hours: number(item.usualHours, language) }),
            })}
            {item.estimateAt && (
              <span className="waiting__turn">
                {t('turn', { date: dateTime(item.estimateAt, language) })}
              </span>
            )}
          </dd>
        </div>
      </dl>
      <div className="waiting__acts">
        <Button
          compact
          className="waiting__assign"
          data-act="assign"
          aria-label={label(t('assign'))}
          disabled={seller.suspended}
          onClick={onAssign}
        >
          {t('assign')}
        </Button>
        {steps.map(([direction, word, icon]) => (
          <Tooltip key={direction} text={t(word)}>
            <Button
              compact
              square
              data-act={direction}
              aria-label={label(t(word))}
              // Not `disabled`: the button keeps the focus after the last possible move.
              aria-disabled={!possible[direction] || undefined}
              busy={busy === direction}
              onClick={(event: MouseEvent) => {
                event.preventDefault();
                if (possible[direction] && busy === null) onMove(direction);
              }}
            >
              <Icon name={icon} />
            </Button>
          </Tooltip>
        ))}
        <Tooltip text={t('remove')}>
          <Button
            compact
            square
            data-act="remove"
            aria-label={label(t('remove'))}
            onClick={onRemove}
          >
            <Icon name="bin" />
          </Button>
        </Tooltip>
      </div>
    </li>
  );
}
