import type { Language } from '../../../../../locales/languages.ts';
import type { KeptPhoto } from './draft.ts';
import type { Keep } from './keep.ts';
import { lighten, mostPhotos } from './lighten.ts';
import { type Sending, sendPhoto } from './send.ts';

export type Photo = {
  key: string;
  name: string;
  /** What the page shows: the file itself, or the server's copy of a photo that came back with the draft. */
  src: string;
  state: 'preparing' | 'waiting' | 'sending' | 'sent' | 'failed';
  /** How much of it has gone, 0 to 1. */
  share: number;
  /** Bytes to send, and bytes before it was made lighter. */
  size: number;
  was: number;
  id?: string;
  sentAt?: number;
  /** The server's copy, for a draft that is opened again. */
  copy?: string;
  /** What the server said when it failed; nothing when the line broke. */
  problem?: string;
};

/** Why a picked file is not among the photos. */
export type PhotoRefusal =
  | { why: 'notImage' | 'wrongType' | 'tooBig' | 'tooManyPixels'; name: string }
  | { why: 'tooMany'; names: readonly string[] }
  | { why: 'server'; code: string; sentence: string };
export type PhotoState = { photos: readonly Photo[]; refusals: readonly PhotoRefusal[] };
export type PhotoQueue = ReturnType<typeof photoQueue>;

/** Gives back the memory of a picture that the page shows from the device. */
const release = ({ src }: Photo) => src.startsWith('blob:') && URL.revokeObjectURL(src);

/** Refusals of a photo itself: sending it again would not help. */
const final = new Set([
  'uploads.notImage',
  'uploads.wrongType',
  'uploads.tooBig',
  'uploads.tooManyPixels',
  'uploads.tooDemanding',
]);

/**
 * The photos of a draft: kept on the device, made lighter, then sent one after the other, each in a request of its own, so that on a
 * bad line only the one that broke is sent again. Lives outside React; `subscribe` and `read` suit `useSyncExternalStore`.
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
        // Taken away while it was under way: what arrived is given back.
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
    /** Takes picked or taken files, as many as there is room for; says which others stay out, and why. */
    add(files: Iterable<File>) {
      const room = Math.max(0, mostPhotos - state.photos.length);
      const refusals: PhotoRefusal[] = [];
      const welcome = [...files].filter((file) => {
        if (file.type === '' || file.type.startsWith('image/')) return true;
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
    /** Puts back the photos of a draft: those that the server has, and from the device those that it has not (any more). Answers whether some are in neither. */
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
    /** The server has a photo no more: it is sent again where the device still has it. Answers whether it has. */
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
    /** Sends again what broke, for example once the network is back. */
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
    /** Answers once nothing is on its way any more. */
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
