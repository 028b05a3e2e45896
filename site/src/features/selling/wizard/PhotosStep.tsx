import { type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { bytes } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Note } from '../../../ui/Note.tsx';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import { mostPhotos, photoTypes } from './lighten.ts';
import type { Photo, PhotoQueue, PhotoRefusal, PhotoState } from './photos.ts';
import type { StepProps } from './step.ts';
import { useReorder } from './useReorder.ts';
import './photos.css';

type Props = Pick<StepProps, 'language' | 'words' | 't' | 'errors'> & {
  queue: PhotoQueue;
  state: PhotoState;
  lost: boolean;
  onLost: () => void;
};

export function PhotosStep({ language, words, t, errors, queue, state, lost, onLost }: Props) {
  const { photos, refusals } = state;
  const picker = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const [over, setOver] = useState(false);
  const [said, setSaid] = useState('');
  const [moved, setMoved] = useState<{ key: string; act: string }>();

  // Keep the focus on a moved photo, so that it can be moved again.
  useEffect(() => {
    if (!moved) return;
    const tile = list.current?.querySelector(`[data-photo="${moved.key}"]`);
    const button =
      tile?.querySelector<HTMLButtonElement>(`[data-act="${moved.act}"]:not(:disabled)`) ??
      tile?.querySelector<HTMLButtonElement>('[data-act]:not(:disabled)');
    button?.focus();
  }, [moved]);

  const take = (input: HTMLInputElement | null) => {
    if (input?.files?.length) queue.add(input.files);
    // Lets the same file be picked again after its removal.
    if (input) input.value = '';
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (event.dataTransfer.files.length > 0) queue.add(event.dataTransfer.files);
  };
  const move = ({ key }: Pick<Photo, 'key'>, to: number, act: string) => {
    queue.move(key, to);
    setMoved({ key, act });
    setSaid(t('images.moved', { number: to + 1, total: photos.length }));
  };
  const reorder = useReorder(list, (key, to) => move({ key }, to, 'grip'));
  const arrows = (photo: Photo, place: number) => (event: KeyboardEvent) => {
    const to = {
      ArrowLeft: place - 1,
      ArrowUp: place - 1,
      ArrowRight: place + 1,
      ArrowDown: place + 1,
      Home: 0,
      End: photos.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to !== place && to >= 0 && to < photos.length) move(photo, to, 'grip');
  };
  const remove = (photo: Photo, place: number) => {
    queue.remove(photo.key);
    const neighbour = photos[place + 1] ?? photos[place - 1];
    if (neighbour) setMoved({ key: neighbour.key, act: 'remove' });
    else picker.current?.focus();
  };

  const full = photos.length >= mostPhotos;
  const unsent = photos
    .filter((photo) => photo.state !== 'sent')
    .reduce((sum, photo) => sum + photo.size, 0);
  const sentence = (refusal: PhotoRefusal) => {
    if (refusal.why === 'tooMany')
      return `${words.validation.imagesTooManyWizard} ${t('images.leftOut', { names: refusal.names.join(', ') })}`;
    return refusal.why === 'server'
      ? refusal.sentence
      : t(`uploads.${refusal.why}`, { name: refusal.name, max: 5 });
  };
  // The step's rule (product §5) once, then each file's own problem.
  const notAllImages = refusals.some((refusal) =>
    /(notImage|wrongType)$/.test(refusal.why === 'server' ? refusal.code : refusal.why),
  );
  const wrong = [
    ...(errors.images ? [errors.images] : []),
    ...(notAllImages ? [words.validation.imagesNotImages] : []),
    ...refusals.map(sentence),
  ];

  return (
    <>
      {lost && <Note tone="wait">{t('photosAgain')}</Note>}
      <section
        className={over ? 'drop drop--over' : 'drop'}
        data-wrong={errors.images ? true : undefined}
        aria-label={t('steps.images')}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <svg className="drop__stitch" aria-hidden="true">
          <rect width="100%" height="100%" rx="5" />
        </svg>
        <div className="drop__actions">
          <label className={full ? 'button button--off' : 'button button--primary'}>
            <Icon name="plus" />
            {t('images.add')}
            <input
              ref={picker}
              className="drop__input"
              type="file"
              accept={photoTypes.join(',')}
              multiple
              disabled={full}
              aria-describedby="photos-hint photos-error"
              onChange={() => take(picker.current)}
            />
          </label>
          <label className={full ? 'button button--off drop__camera' : 'button drop__camera'}>
            <Icon name="camera" />
            {t('images.takePhoto')}
            <input
              ref={camera}
              className="drop__input"
              type="file"
              accept="image/*"
              capture="environment"
              disabled={full}
              aria-describedby="photos-hint"
              onChange={() => take(camera.current)}
            />
          </label>
          <span className="drop__word soft">{t('images.drop')}</span>
        </div>
        <div className="soft small" id="photos-hint">
          <p>{t('images.hint')}</p>
          <p>{t('images.heic')}</p>
        </div>
        <p className="small" role="status">
          <strong>{t('images.count', { used: photos.length, max: mostPhotos })}</strong>
          <span className="unseen">{said}</span>
          {unsent > 0 && <> · {t('images.data', { size: bytes(unsent, language) })}</>}
        </p>
      </section>
      <div role="alert" id="photos-error">
        {wrong.map((said) => (
          <p key={said} className="field__error">
            <Icon name="warning" />
            <span>{said}</span>
          </p>
        ))}
      </div>
      {photos.length > 0 && (
        <ol className="photos" ref={list}>
          {photos.map((photo, place) => (
            <li
              key={photo.key}
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
                    if (!photo.src.startsWith('blob:') && !(await queue.sendAgain(photo.key)))
                      onLost();
                  }}
                />
                {photos.length > 1 && (
                  <button
                    type="button"
                    className="photo__grip"
                    data-act="grip"
                    aria-label={t('images.grip', { number: place + 1 })}
                    onPointerDown={reorder.start(photo.key)}
                    onKeyDown={arrows(photo, place)}
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
              <div className="photo__state">
                {photo.state === 'preparing' && (
                  <span className="small soft">{t('images.shrinking')}</span>
                )}
                {(photo.state === 'waiting' || photo.state === 'sending') && (
                  <>
                    <progress
                      max={1}
                      value={photo.share}
                      aria-label={t('images.uploading', {
                        number: place + 1,
                        total: photos.length,
                      })}
                    />
                    <span className="small soft">{bytes(photo.size, language)}</span>
                  </>
                )}
                {photo.state === 'sent' && photo.size > 0 && (
                  <span className="small soft">
                    {photo.size < photo.was
                      ? t('images.shrunk', {
                          from: bytes(photo.was, language),
                          to: bytes(photo.size, language),
                        })
                      : bytes(photo.size, language)}
                  </span>
                )}
                {photo.state === 'failed' && (
                  <span className="photo__problem small" role="alert">
                    {photo.problem ?? t('images.uploadFailed', { number: place + 1 })}
                  </span>
                )}
              </div>
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
                  <Tooltip text={t('images.moveLeft')}>
                    <Button
                      square
                      compact
                      variant="bare"
                      data-act="left"
                      aria-label={t('images.moveLeft')}
                      disabled={place === 0}
                      onClick={() => move(photo, place - 1, 'left')}
                    >
                      <Icon name="left" />
                    </Button>
                  </Tooltip>
                  <Tooltip text={t('images.moveRight')}>
                    <Button
                      square
                      compact
                      variant="bare"
                      data-act="right"
                      aria-label={t('images.moveRight')}
                      disabled={place === photos.length - 1}
                      onClick={() => move(photo, place + 1, 'right')}
                    >
                      <Icon name="right" />
                    </Button>
                  </Tooltip>
                  <Tooltip
                    text={t(
                      photo.state === 'sent' || photo.state === 'failed'
                        ? 'images.removeNamed'
                        : 'images.cancel',
                      { number: place + 1 },
                    )}
                  >
                    <Button
                      square
                      compact
                      variant="bare"
                      data-act="remove"
                      aria-label={t(
                        photo.state === 'sent' || photo.state === 'failed'
                          ? 'images.removeNamed'
                          : 'images.cancel',
                        { number: place + 1 },
                      )}
                      onClick={() => remove(photo, place)}
                    >
                      <Icon
                        name={photo.state === 'sent' || photo.state === 'failed' ? 'bin' : 'close'}
                      />
                    </Button>
                  </Tooltip>
                </span>
              </div>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
