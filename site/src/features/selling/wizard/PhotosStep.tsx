import { type DragEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { bytes } from '../../../lib/format.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { Note } from '../../../ui/Note.tsx';
import { mostPhotos, photoTypes } from './lighten.ts';
import { type Move, PhotoTile } from './PhotoTile.tsx';
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
  const { photos } = state;
  const picker = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLOListElement>(null);
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

  const move: Move = ({ key }, to, act) => {
    queue.move(key, to);
    setMoved({ key, act });
    setSaid(t('images.moved', { number: to + 1, total: photos.length }));
  };
  const reorder = useReorder(list, (key, to) => move({ key }, to, 'grip'));
  const remove = (photo: Photo, place: number) => {
    queue.remove(photo.key);
    const neighbour = photos[place + 1] ?? photos[place - 1];
    if (neighbour) setMoved({ key: neighbour.key, act: 'remove' });
    else picker.current?.focus();
  };

  return (
    <>
      {lost && <Note tone="wait">{t('photosAgain')}</Note>}
      <DropZone
        {...{ language, t, queue, photos, picker, said }}
        isWrong={errors.images !== undefined}
      />
      <div role="alert" id="photos-error">
        {wrongIn({ words, t, errors, refusals: state.refusals }).map((one) => (
          <p key={one} className="field__error">
            <Icon name="warning" />
            <span>{one}</span>
          </p>
        ))}
      </div>
      {photos.length > 0 && (
        <ol className="photos" ref={list}>
          {photos.map((photo, place) => (
            <PhotoTile
              key={photo.key}
              {...{ language, t, queue, photo, place, onLost, reorder, move, remove }}
              total={photos.length}
            />
          ))}
        </ol>
      )}
    </>
  );
}

/** Lists the step's error (product §5) once, then each file's own. */
function wrongIn({
  words,
  t,
  errors,
  refusals,
}: Pick<Props, 'words' | 't' | 'errors'> & { refusals: readonly PhotoRefusal[] }): string[] {
  const { imagesTooManyWizard, imagesNotImages } = words.validation;
  const sentence = (refusal: PhotoRefusal) => {
    if (refusal.why === 'tooMany')
      return `${imagesTooManyWizard} ${t('images.leftOut', { names: refusal.names.join(', ') })}`;
    return refusal.why === 'server'
      ? refusal.sentence
      : t(`uploads.${refusal.why}`, { name: refusal.name, max: 5 });
  };
  const notAllImages = refusals.some((refusal) =>
    /(notImage|wrongType)$/.test(refusal.why === 'server' ? refusal.code : refusal.why),
  );
  return [
    ...(errors.images ? [errors.images] : []),
    ...(notAllImages ? [imagesNotImages] : []),
    ...refusals.map(sentence),
  ];
}

type ZoneProps = Pick<Props, 'language' | 't' | 'queue'> & {
  photos: readonly Photo[];
  picker: RefObject<HTMLInputElement | null>;
  /** Announces a move to screen readers. */
  said: string;
  isWrong: boolean;
};

/** Takes photos: picked, taken by the camera or dropped. */
function DropZone({ language, t, queue, photos, picker, said, isWrong }: ZoneProps) {
  const camera = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
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
  const full = photos.length >= mostPhotos;
  const unsent = photos
    .filter((photo) => photo.state !== 'sent')
    .reduce((sum, photo) => sum + photo.size, 0);
  return (
    <section
      className={over ? 'drop drop--over' : 'drop'}
      data-wrong={isWrong || undefined}
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
  );
}
