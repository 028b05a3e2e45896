import type { KeyboardEvent } from 'react';
import { bytes } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import type { IconName } from '../../../ui/icons.ts';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import type { Photo, PhotoQueue } from './photos.ts';
import type { StepProps } from './step.ts';
import type { useReorder } from './useReorder.ts';

/** Moves a photo to a place; `act` names the button that keeps the focus. */
export type Move = (photo: Pick<Photo, 'key'>, to: number, act: string) => void;
type Props = Pick<StepProps, 'language' | 't'> & {
  queue: PhotoQueue;
  photo: Photo;
  /** Counts from 0. */
  place: number;
  total: number;
  reorder: ReturnType<typeof useReorder>;
  move: Move;
  remove: (photo: Photo, place: number) => void;
  /** Runs when the server and the device have lost the photo. */
  onLost: () => void;
};

/** A photo of the draft: picture, state of its upload and actions. */
export function PhotoTile(props: Props) {
  const { t, queue, photo, place, total, reorder, move, onLost } = props;
  const arrows = (event: KeyboardEvent) => {
    const to = {
      ArrowLeft: place - 1,
      ArrowUp: place - 1,
      ArrowRight: place + 1,
      ArrowDown: place + 1,
      Home: 0,
      End: total - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to !== place && to >= 0 && to < total) move(photo, to, 'grip');
  };
  return (
    <li
      className="photo"
      data-photo={photo.key}
      data-state={photo.state}
      data-dragged={reorder.over?.dragged === photo.key || undefined}
      data-target={reorder.over?.target === photo.key || undefined}
    >
      <div className="photo__picture">
        <img
          src={photo.src}
          alt={photo.name}
          draggable={false}
          onError={async () => {
            if (!photo.src.startsWith('blob:') && !(await queue.sendAgain(photo.key))) onLost();
          }}
        />
        {total > 1 && (
          <button
            type="button"
            className="photo__grip"
            data-act="grip"
            aria-label={t('images.grip', { number: place + 1 })}
            onPointerDown={reorder.start(photo.key)}
            onKeyDown={arrows}
          >
            <Icon name="grip" />
          </button>
        )}
        {place === 0 && <span className="photo__cover">{t('images.cover')}</span>}
        {photo.state === 'sent' && (
          <Icon
            name="check"
            className="photo__done"
            label={t('images.uploaded', { number: place + 1 })}
          />
        )}
      </div>
      <Upload {...props} />
      <Actions {...props} />
    </li>
  );
}

function Upload({ language, t, photo, place, total }: Props) {
  const { state, share, size, was, problem } = photo;
  return (
    <div className="photo__state">
      {state === 'preparing' && <span className="small soft">{t('images.shrinking')}</span>}
      {(state === 'waiting' || state === 'sending') && (
        <>
          <progress
            max={1}
            value={share}
            aria-label={t('images.uploading', { number: place + 1, total })}
          />
          <span className="small soft">{bytes(size, language)}</span>
        </>
      )}
      {state === 'sent' && size > 0 && (
        <span className="small soft">
          {size < was
            ? t('images.shrunk', { from: bytes(was, language), to: bytes(size, language) })
            : bytes(size, language)}
        </span>
      )}
      {state === 'failed' && (
        <span className="photo__problem small" role="alert">
          {problem ?? t('images.uploadFailed', { number: place + 1 })}
        </span>
      )}
    </div>
  );
}

function Actions({ t, queue, photo, place, total, move, remove }: Props) {
  const isOver = photo.state === 'sent' || photo.state === 'failed';
  return (
    <div className="photo__actions">
      {photo.state === 'failed' && (
        <Button compact variant="primary" onClick={() => queue.retry(photo.key)}>
          <Icon name="refresh" />
          {t('retry')}
        </Button>
      )}
      {place > 0 && (
        <Button compact data-act="cover" onClick={() => move(photo, 0, 'right')}>
          {t('images.makeCover')}
        </Button>
      )}
      <span className="photo__moves">
        <Square
          act="left"
          icon="left"
          label={t('images.moveLeft')}
          disabled={place === 0}
          onClick={() => move(photo, place - 1, 'left')}
        />
        <Square
          act="right"
          icon="right"
          label={t('images.moveRight')}
          disabled={place === total - 1}
          onClick={() => move(photo, place + 1, 'right')}
        />
        <Square
          act="remove"
          icon={isOver ? 'bin' : 'close'}
          label={t(isOver ? 'images.removeNamed' : 'images.cancel', { number: place + 1 })}
          onClick={() => remove(photo, place)}
        />
      </span>
    </div>
  );
}

function Square({
  act,
  icon,
  label,
  ...button
}: {
  act: string;
  icon: IconName;
  label: string;
  disabled?: boolean;
  onClick: () => void;
}) {
  return (
    <Tooltip text={label}>
      <Button square compact variant="bare" data-act={act} aria-label={label} {...button}>
        <Icon name={icon} />
      </Button>
    </Tooltip>
  );
}
