import type { Language } from '../../../../../locales/languages.ts';
import type { KeptPhoto } from './draft.ts';
import type { Keep } from './keep.ts';
import { lighten, mostPhotos } from './lighten.ts';
import { type Sending, type Sent, sendPhoto } from './send.ts';

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
  problem?: string | undefined;
  /** The server had no time for it. */
  busy?: boolean;
};

export type PhotoRefusal =
  | { why: 'notImage' | 'cut' | 'wrongType' | 'tooBig' | 'tooManyPixels'; name: string }
  | { why: 'tooMany'; names: readonly string[] }
  | { why: 'server'; code: string; sentence: string };
export type PhotoState = { photos: readonly Photo[]; refusals: readonly PhotoRefusal[] };

type Options = {
  language: Language;
  keep: Keep;
  /** Deletes a photo on the server. */
  discard: (id: string) => void;
};

const newName = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 10)}`;
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

/** Returns a photo that is being prepared. */
const preparing = (key: string, name: string, blob: Blob, was: number): Photo => ({
  ...{ key, name, src: URL.createObjectURL(blob), state: 'preparing', share: 0 },
  ...{ size: blob.size, was },
});

/**
 * Photos of a draft: stored, shrunk, uploaded one by one, so that only a broken upload is repeated.
 * `subscribe` and `read` fit `useSyncExternalStore`.
 */
export class PhotoQueue {
  private state: PhotoState = { photos: [], refusals: [] };
  private sending: { key: string; request: Sending } | undefined;
  private readonly blobs = new Map<string, Blob>();
  private readonly listeners = new Set<() => void>();
  private readonly language: Language;
  private readonly keep: Keep;
  private readonly discard: (id: string) => void;

  constructor({ language, keep, discard }: Options) {
    this.language = language;
    this.keep = keep;
    this.discard = discard;
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly read = () => this.state;

  add(files: Iterable<File>): void {
    const { photos } = this.state;
    const refusals: PhotoRefusal[] = [];
    const welcome = [...files].filter((file) => {
      // File managers of Android name no better type.
      if (/^(?:image\/.*|application\/octet-stream)?$/.test(file.type)) return true;
      refusals.push({ why: 'notImage', name: file.name });
      return false;
    });
    const room = Math.max(0, mostPhotos - photos.length);
    const left = welcome.slice(room);
    if (left.length > 0) refusals.push({ why: 'tooMany', names: left.map(({ name }) => name) });
    const added = welcome
      .slice(0, room)
      .map((file) => ({ photo: preparing(newName(), file.name, file, file.size), file }));
    for (const { photo, file } of added) this.keep.put(photo.key, { blob: file, light: false });
    this.show({ photos: [...photos, ...added.map(({ photo }) => photo)], refusals });
    for (const { photo, file } of added) void this.prepare(photo.key, file, photo.name);
  }

  /** Restores photos from server or device. True when some are lost. */
  async restore(kept: readonly KeptPhoto[]): Promise<boolean> {
    const files = await Promise.all(
      kept.map(({ key, id }) => (id ? undefined : this.keep.get(key))),
    );
    const photos = kept.flatMap(({ key, name, size, was, id, src, sentAt }, order): Photo[] => {
      if (id && src && sentAt)
        return [{ key, name, src, state: 'sent', share: 1, size, was, id, sentAt, copy: src }];
      const blob = files[order]?.blob;
      return blob ? [preparing(key, name, blob, was || blob.size)] : [];
    });
    this.show({ photos });
    for (const [order, { key, name }] of kept.entries()) {
      const file = files[order];
      if (file?.light) this.ready(key, file.blob);
      else if (file) void this.prepare(key, file.blob, name);
    }
    return photos.length < kept.length;
  }

  remove(key: string): void {
    const photo = this.find(key);
    if (!photo) return;
    this.drop(key);
    if (photo.id) this.discard(photo.id);
    if (this.sending?.key === key) this.sending.request.abort();
  }

  /** Uploads a photo again that the server lost. False when the device lost it too. */
  async sendAgain(key: string): Promise<boolean> {
    const blob = this.blobs.get(key) ?? (await this.keep.get(key))?.blob;
    const photo = this.find(key);
    if (!photo) return true;
    if (!blob) {
      this.drop(key);
      return false;
    }
    const { id: _, sentAt: _at, copy: _copy, ...rest } = photo;
    this.blobs.set(key, blob);
    const next: Photo = {
      ...rest,
      src: URL.createObjectURL(blob),
      state: 'waiting',
      share: 0,
      size: blob.size,
    };
    this.show({
      photos: this.state.photos.map((other) => (other.key === key ? next : other)),
    });
    this.sendNext();
    return true;
  }

  retry(key: string): void {
    this.patch(key, { state: this.blobs.has(key) ? 'waiting' : 'failed' });
    this.sendNext();
  }

  retryAll(): void {
    this.show({
      photos: this.state.photos.map((photo) =>
        photo.state === 'failed' && this.blobs.has(photo.key)
          ? { ...photo, state: 'waiting' as const }
          : photo,
      ),
    });
    this.sendNext();
  }

  move(key: string, to: number): void {
    const photo = this.find(key);
    if (!photo) return;
    const others = this.state.photos.filter((other) => other.key !== key);
    this.show({ photos: [...others.slice(0, to), photo, ...others.slice(to)] });
  }

  clear(giveBack: boolean): void {
    for (const photo of this.state.photos) {
      if (giveBack && photo.id) this.discard(photo.id);
      release(photo);
    }
    const request = this.sending?.request;
    this.blobs.clear();
    void this.keep.clear();
    this.show({ photos: [], refusals: [] });
    request?.abort();
  }

  settled(): Promise<readonly Photo[]> {
    return new Promise((resolve) => {
      const look = () => {
        const { photos } = this.state;
        if (!photos.every(({ state }) => state === 'sent' || state === 'failed')) return;
        this.listeners.delete(look);
        resolve(photos);
      };
      this.listeners.add(look);
      look();
    });
  }

  private show(next: Partial<PhotoState>): void {
    this.state = { ...this.state, ...next };
    for (const listener of this.listeners) listener();
  }

  private find(key: string): Photo | undefined {
    return this.state.photos.find((photo) => photo.key === key);
  }

  private patch(key: string, change: Partial<Photo>): void {
    this.show({
      photos: this.state.photos.map((photo) =>
        photo.key === key ? { ...photo, ...change } : photo,
      ),
    });
  }

  private drop(key: string, refusal?: PhotoRefusal): void {
    const photo = this.find(key);
    if (photo) release(photo);
    this.blobs.delete(key);
    this.keep.remove(key);
    this.show({
      photos: this.state.photos.filter((other) => other.key !== key),
      ...(refusal ? { refusals: [...this.state.refusals, refusal] } : {}),
    });
  }

  private async prepare(key: string, file: Blob, name: string): Promise<void> {
    const light = await lighten(file).catch(() => 'notImage' as const);
    if (!this.find(key)) return;
    if (typeof light === 'string') this.drop(key, { why: light, name });
    else this.ready(key, light);
  }

  private ready(key: string, light: Blob): void {
    this.blobs.set(key, light);
    this.keep.put(key, { blob: light, light: true });
    this.patch(key, { state: 'waiting', size: light.size });
    this.sendNext();
  }

  private sendNext(): void {
    if (this.sending) return;
    const photo = this.state.photos.find(({ state }) => state === 'waiting');
    const blob = photo && this.blobs.get(photo.key);
    if (!photo || !blob) return;
    const { key, name } = photo;
    this.patch(key, { state: 'sending', share: 0 });
    const request = sendPhoto({
      blob,
      name,
      language: this.language,
      onShare: (share) => this.patch(key, { share }),
    });
    this.sending = { key, request };
    void request.done.then((answer) => {
      this.sending = undefined;
      this.answered(key, answer);
      this.sendNext();
    });
  }

  private answered(key: string, answer: Sent): void {
    const isKept = this.find(key) !== undefined;
    if (answer.sent) {
      const { id, copy } = answer;
      // Removed meanwhile: delete the server's copy.
      if (isKept) this.patch(key, { state: 'sent', share: 1, id, sentAt: Date.now(), copy });
      else this.discard(id);
    } else if (isKept && answer.code && final.has(answer.code))
      this.drop(key, { why: 'server', code: answer.code, sentence: answer.sentence ?? '' });
    else if (isKept)
      this.patch(key, {
        state: 'failed',
        share: 0,
        // None if the connection broke, whatever an earlier try was told.
        problem: answer.sentence,
        busy: answer.busy,
      });
  }
}
