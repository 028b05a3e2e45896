import type { InferResponseType } from 'hono/client';
import type { ErrorBody } from '../../../../../api/core/errors.ts';
import type { Language } from '../../../../../locales/languages.ts';
import type { ApiClient } from '../../../lib/api.ts';
import type { KeptPhoto } from './draft.ts';
import { lighten, mostPhotos } from './lighten.ts';

type Uploaded = InferResponseType<ApiClient['uploads']['$post'], 201>;

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
export type PhotoRefusal = { why: 'notImage' | 'tooBig' | 'tooMany'; name: string } | { why: 'server'; sentence: string };
export type PhotoState = { photos: readonly Photo[]; refusals: readonly PhotoRefusal[] };
export type PhotoQueue = ReturnType<typeof photoQueue>;

/** Refusals of a photo itself: sending it again would not help. */
const final = new Set(['uploads.notImage', 'uploads.tooBig', 'uploads.tooManyPixels']);

/**
 * The photos of a draft: made lighter, then sent one after the other, each in a request of its own, so that on a bad line only the
 * one that broke is sent again. Lives outside React; `subscribe` and `read` suit `useSyncExternalStore`.
 */
export function photoQueue({ language, discard }: { language: Language; discard: (id: string) => void }) {
  let state: PhotoState = { photos: [], refusals: [] };
  const blobs = new Map<string, Blob>();
  const listeners = new Set<() => void>();
  let sending: { key: string; request: XMLHttpRequest } | undefined;
  let made = 0;

  const show = (next: Partial<PhotoState>) => {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  };
  const find = (key: string) => state.photos.find((photo) => photo.key === key);
  const patch = (key: string, change: Partial<Photo>) => show({ photos: state.photos.map((photo) => (photo.key === key ? { ...photo, ...change } : photo)) });
  const drop = (key: string, refusal?: PhotoRefusal) => {
    const photo = find(key);
    if (photo?.src.startsWith('blob:')) URL.revokeObjectURL(photo.src);
    blobs.delete(key);
    show({ photos: state.photos.filter((other) => other.key !== key), ...(refusal ? { refusals: [...state.refusals, refusal] } : {}) });
  };

  const sendNext = () => {
    if (sending) return;
    const photo = state.photos.find((candidate) => candidate.state === 'waiting');
    const blob = photo && blobs.get(photo.key);
    if (!photo || !blob) return;
    const { key } = photo;
    const request = new XMLHttpRequest();
    sending = { key, request };
    patch(key, { state: 'sending', share: 0 });
    request.open('POST', '/api/uploads');
    request.responseType = 'text';
    request.setRequestHeader('content-type', blob.type || 'application/octet-stream');
    request.setRequestHeader('x-file-name', encodeURIComponent([...photo.name].slice(0, 50).join('').toWellFormed?.() ?? 'photo'));
    request.setRequestHeader('x-language', language);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) patch(key, { share: event.loaded / event.total });
    };
    request.onloadend = () => {
      sending = undefined;
      // Taken away while it was under way: what arrived is given back.
      const answer = parse(request.responseText);
      if (request.status === 201 && answer && 'id' in answer) {
        if (find(key))
          patch(key, {
            state: 'sent',
            share: 1,
            id: answer.id,
            sentAt: Date.now(),
            copy: answer.image.sources.find(({ width }) => width >= 720)?.src ?? answer.image.src,
          });
        else discard(answer.id);
      } else if (find(key)) {
        const error = answer && 'error' in answer ? answer.error : undefined;
        if (error && final.has(error.code)) drop(key, { why: 'server', sentence: error.message });
        else patch(key, { state: 'failed', share: 0, ...(error ? { problem: error.message } : {}) });
      }
      sendNext();
    };
    request.send(blob);
  };

  const prepare = async (key: string, file: File) => {
    const light = await lighten(file).catch(() => 'notImage' as const);
    if (!find(key)) return;
    if (typeof light === 'string') {
      drop(key, { why: light, name: file.name });
      return;
    }
    blobs.set(key, light);
    patch(key, { state: 'waiting', size: light.size });
    sendNext();
  };

  return {
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read: () => state,
    /** Takes picked or taken files, as many as there is room for; says why the others stay out. */
    add(files: Iterable<File>) {
      const room = mostPhotos - state.photos.length;
      const picked = [...files];
      const refusals: PhotoRefusal[] = [];
      const welcome = picked.filter((file) => {
        if (file.type === '' || file.type.startsWith('image/')) return true;
        refusals.push({ why: 'notImage', name: file.name });
        return false;
      });
      if (welcome.length > room) refusals.push({ why: 'tooMany', name: '' });
      const added = welcome.slice(0, Math.max(0, room)).map((file): [Photo, File] => {
        made += 1;
        return [{ key: `photo-${made}`, name: file.name, src: URL.createObjectURL(file), state: 'preparing', share: 0, size: file.size, was: file.size }, file];
      });
      show({ photos: [...state.photos, ...added.map(([photo]) => photo)], refusals });
      for (const [{ key }, file] of added) void prepare(key, file);
    },
    /** Puts back the photos of a draft, which the server has. */
    restore(kept: readonly KeptPhoto[]) {
      show({
        photos: kept.map((photo) => {
          made += 1;
          return {
            key: `photo-${made}`,
            name: photo.name,
            src: photo.src,
            state: 'sent',
            share: 1,
            size: photo.size,
            was: photo.size,
            id: photo.id,
            sentAt: photo.sentAt,
            copy: photo.src,
          };
        }),
      });
    },
    remove(key: string) {
      const photo = find(key);
      if (!photo) return;
      drop(key);
      if (photo.id) discard(photo.id);
      if (sending?.key === key) sending.request.abort();
    },
    /** A photo that the server has no more; it is not in the draft either. */
    lose(key: string) {
      drop(key);
    },
    retry(key: string) {
      patch(key, { state: blobs.has(key) ? 'waiting' : 'failed' });
      sendNext();
    },
    /** Sends again what broke, for example once the network is back. */
    retryAll() {
      show({ photos: state.photos.map((photo) => (photo.state === 'failed' && blobs.has(photo.key) ? { ...photo, state: 'waiting' as const } : photo)) });
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
        if (photo.src.startsWith('blob:')) URL.revokeObjectURL(photo.src);
      }
      const request = sending?.request;
      blobs.clear();
      show({ photos: [], refusals: [] });
      request?.abort();
    },
    /** Answers once nothing is on its way any more. */
    settled(): Promise<readonly Photo[]> {
      const idle = () => state.photos.every((photo) => photo.state === 'sent' || photo.state === 'failed');
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

function parse(text: string): Uploaded | ErrorBody | undefined {
  try {
    return JSON.parse(text) as Uploaded | ErrorBody;
  } catch {
    return undefined;
  }
}
