import type { Language } from '../../../../../locales/languages.ts';
import type { KeptPhoto } from './draft.ts';
import type { Keep } from './keep.ts';
import { lighten, mostPhotos } from './lighten.ts';
import { type Sending, sendPhoto } from './send.ts';

export type Photo = {
  key: string;
  name: string;
  src: string;
  state: 'preparing' | 'waiting' | 'sending' | 'sent' | 'failed';
  /** Upload progress, 0 to 1. */
  share: number;
  /** Bytes to send; `was`: before shrinking. */
  size: number;
  was: number;
  id?: string;
  sentAt?: number;
  /** Server's copy, saved with the draft. */
  copy?: string;
  /** Undefined when the connection broke. */
  problem?: string;
};

export type PhotoRefusal =
  | { why: 'notImage' | 'cut' | 'wrongType' | 'tooBig' | 'tooManyPixels'; name: string }
  | { why: 'tooMany'; names: readonly string[] }
  | { why: 'server'; code: string; sentence: string };
export type PhotoState = { photos: readonly Photo[]; refusals: readonly PhotoRefusal[] };
export type PhotoQueue = ReturnType<typeof photoQueue>;

const release = ({ src }: Photo) => src.startsWith('blob:') && URL.revokeObjectURL(src);

/** Refusals of the photo itself: a retry would fail again. */
const final = new Set([
  'uploads.notImage',
  'uploads.cut',
  'uploads.wrongType',
  'uploads.tooBig',
  'uploads.tooManyPixels',
  'uploads.tooDemanding',
]);

/**
 * Photos of a draft: stored, shrunk, uploaded one by one, so that only a broken upload is repeated.
 * `subscribe` and `read` fit `useSyncExternalStore`.
 */
export function photoQueue({
  language,
  keep,
  discard,
}: {
  language: Language;
  keep: Keep;
  discard: (id: string) => void;
}) {
  let state: PhotoState = { photos: [], refusals: [] };
  const blobs = new Map<string, Blob>();
  const listeners = new Set<() => void>();
  let sending: { key: string; request: Sending } | undefined;
  const newName = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 10)}`;

  const show = (next: Partial<PhotoState>) => {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  };
  const find = (key: string) => state.photos.find((photo) => photo.key === key);
  const patch = (key: string, change: Partial<Photo>) =>
    show({
      photos: state.photos.map((photo) => (photo.key === key ? { ...photo, ...change } : photo)),
    });
  const drop = (key: string, refusal?: PhotoRefusal) => {
    const photo = find(key);
    if (photo) release(photo);
    blobs.delete(key);
    keep.remove(key);
    show({
      photos: state.photos.filter((other) => other.key !== key),
      ...(refusal ? { refusals: [...state.refusals, refusal] } : {}),
    });
  };

  const sendNext = () => {
    if (sending) return;
    const photo = state.photos.find((candidate) => candidate.state === 'waiting');
    const blob = photo && blobs.get(photo.key);
    if (!photo || !blob) return;
    const { key } = photo;
    patch(key, { state: 'sending', share: 0 });
    const request = sendPhoto({
      blob,
      name: photo.name,
      language,
      onShare: (share) => patch(key, { share }),
    });
    sending = { key, request };
    void request.done.then((answer) => {
      sending = undefined;
      if (answer.sent) {
        const { id, copy } = answer;
        // Removed meanwhile: delete the server's copy.
        if (find(key)) patch(key, { state: 'sent', share: 1, id, sentAt: Date.now(), copy });
        else discard(id);
      } else if (find(key)) {
        if (answer.code && final.has(answer.code))
          drop(key, { why: 'server', code: answer.code, sentence: answer.sentence ?? '' });
        else
          patch(key, {
            state: 'failed',
            share: 0,
            ...(answer.sentence ? { problem: answer.sentence } : {}),
          });
      }
      sendNext();
    });
  };

  const prepare = async (key: string, file: Blob, name: string) => {
    const light = await lighten(file).catch(() => 'notImage' as const);
    if (!find(key)) return;
    if (typeof light === 'string') {
      drop(key, { why: light, name });
      return;
    }
    ready(key, light);
  };
  const ready = (key: string, light: Blob) => {
    blobs.set(key, light);
    keep.put(key, { blob: light, light: true });
    patch(key, { state: 'waiting', size: light.size });
    sendNext();
  };

  return {
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read: () => state,
    add(files: Iterable<File>) {
      const room = Math.max(0, mostPhotos - state.photos.length);
      const refusals: PhotoRefusal[] = [];
      const welcome = [...files].filter((file) => {
        // File managers of Android name no better type.
        if (/^(?:image\/.*|application\/octet-stream)?$/.test(file.type)) return true;
        refusals.push({ why: 'notImage', name: file.name });
        return false;
      });
      const left = welcome.slice(room);
      if (left.length > 0) refusals.push({ why: 'tooMany', names: left.map(({ name }) => name) });
      const added = welcome.slice(0, room).map((file): [Photo, File] => [
        {
          key: newName(),
          name: file.name,
          src: URL.createObjectURL(file),
          state: 'preparing',
          share: 0,
          size: file.size,
          was: file.size,
        },
        file,
      ]);
      for (const [{ key }, file] of added) keep.put(key, { blob: file, light: false });
      show({ photos: [...state.photos, ...added.map(([photo]) => photo)], refusals });
      for (const [{ key, name }, file] of added) void prepare(key, file, name);
    },
    /** Restores photos from server or device. True when some are lost. */
    async restore(kept: readonly KeptPhoto[]): Promise<boolean> {
      const files = await Promise.all(kept.map(({ key, id }) => (id ? undefined : keep.get(key))));
      const back = kept.flatMap(({ key, name, size, was, id, src, sentAt }, order): Photo[] => {
        if (id && src && sentAt)
          return [{ key, name, src, state: 'sent', share: 1, size, was, id, sentAt, copy: src }];
        const file = files[order];
        return file
          ? [
              {
                key,
                name,
                src: URL.createObjectURL(file.blob),
                state: 'preparing',
                share: 0,
                size: file.blob.size,
                was: was || file.blob.size,
              },
            ]
          : [];
      });
      show({ photos: back });
      for (const [order, { key, name }] of kept.entries()) {
        const file = files[order];
        if (file?.light) ready(key, file.blob);
        else if (file) void prepare(key, file.blob, name);
      }
      return back.length < kept.length;
    },
    remove(key: string) {
      const photo = find(key);
      if (!photo) return;
      drop(key);
      if (photo.id) discard(photo.id);
      if (sending?.key === key) sending.request.abort();
    },
    /** Uploads a photo again that the server lost. False when the device lost it too. */
    async sendAgain(key: string): Promise<boolean> {
      const blob = blobs.get(key) ?? (await keep.get(key))?.blob;
      const photo = find(key);
      if (!photo) return true;
      if (!blob) {
        drop(key);
        return false;
      }
      const { id: _, sentAt: _at, copy: _copy, ...rest } = photo;
      blobs.set(key, blob);
      const next: Photo = {
        ...rest,
        src: URL.createObjectURL(blob),
        state: 'waiting',
        share: 0,
        size: blob.size,
      };
      show({ photos: state.photos.map((other) => (other.key === key ? next : other)) });
      sendNext();
      return true;
    },
    retry(key: string) {
      patch(key, { state: blobs.has(key) ? 'waiting' : 'failed' });
      sendNext();
    },
    retryAll() {
      show({
        photos: state.photos.map((photo) =>
          photo.state === 'failed' && blobs.has(photo.key)
            ? { ...photo, state: 'waiting' as const }
            : photo,
        ),
      });
      sendNext();
    },
    move(key: string, to: number) {
      const photo = find(key);
      if (!photo) return;
      const others = state.photos.filter((other) => other.key !== key);
      show({ photos: [...others.slice(0, to), photo, ...others.slice(to)] });
    },
    clear(giveBack: boolean) {
      for (const photo of state.photos) {
        if (giveBack && photo.id) discard(photo.id);
        release(photo);
      }
      const request = sending?.request;
      blobs.clear();
      void keep.clear();
      show({ photos: [], refusals: [] });
      request?.abort();
    },
    settled(): Promise<readonly Photo[]> {
      const idle = () =>
        state.photos.every((photo) => photo.state === 'sent' || photo.state === 'failed');
      return new Promise((resolve) => {
        const look = () => {
          if (!idle()) return;
          listeners.delete(look);
          resolve(state.photos);
        };
        listeners.add(look);
        look();
      });
    },
  };
}
