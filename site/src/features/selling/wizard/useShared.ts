import type { InferResponseType } from 'hono/client';
import { useEffect, useRef, useState } from 'react';
import { type ApiClient, ApiError, unwrap } from '../../../lib/api.ts';
import { log } from '../../../lib/log.ts';
import { sourceFor } from '../../market/slots.ts';
import type { AnswerName, Answers, Draft, KeptPhoto } from './draft.ts';

export type Shared = NonNullable<InferResponseType<ApiClient['drafts']['$get'], 200>['draft']>;
/** What the account has of a draft: the version that this device has seen, and a print of what it was. */
export type Synced = { seen: string | null; sent: string };
export const nothingSynced: Synced = { seen: null, sent: '' };

export const printOf = (answers: Partial<Answers>, photos: readonly { id?: string | undefined }[]): string =>
  JSON.stringify([Object.entries(answers).sort(), photos.flatMap(({ id }) => id ?? [])]);

/** A draft of the account, as this device keeps one. */
export function toDraft({ key, answers, photos, updatedAt }: Shared): Draft & { answers: Partial<Answers> } {
  const kept = photos.map(({ id, image }): KeptPhoto => ({ key: id, id, src: sourceFor(image, 720), name: '', size: 0, was: 0, sentAt: Date.now() }));
  const given = Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== undefined)) as Partial<Answers>;
  return { key, answers: given, photos: kept, step: 0, at: Date.parse(updatedAt), synced: { seen: updatedAt, sent: printOf(given, kept) } };
}

type Options = {
  /** Only a new product of one's own is the account's; what is edited, and what an admin lists, is this device's alone. */
  on: boolean;
  api: ApiClient;
  key: () => string;
  /** What is there now, without what the form begins with. */
  now: () => { answers: Partial<Answers>; photos: readonly { id?: string | undefined }[] };
  /** It may be saved: it was read, something was done, and it is not submitted. */
  ready: () => boolean;
  onSaved: () => void;
  onSubmitted: () => void;
};

/**
 * Keeps a draft with its account, too, where chats and other devices go on with it (decision 049): at each step, and when the page is left. What was
 * changed elsewhere is never written over: the reader is asked.
 */
export function useShared({ on, api, key, now, ready, onSaved, onSubmitted }: Options) {
  const synced = useRef<Synced>(nothingSynced);
  const saving = useRef<Promise<void>>(Promise.resolve());
  const [elsewhere, setElsewhere] = useState<Shared>();

  const read = async (): Promise<Shared | null | undefined> =>
    on
      ? unwrap(api.drafts.$get(), '').then(
          ({ draft }) => draft,
          () => undefined,
        )
      : undefined;

  const save = () => {
    saving.current = saving.current.then(async () => {
      if (!on || !ready() || elsewhere) return;
      const { answers, photos } = now();
      const sent = printOf(answers, photos);
      if (sent === synced.current.sent) return;
      const { sellerId: _, ...given } = answers as Partial<Record<AnswerName, never>>;
      const json = { key: key(), seen: synced.current.seen, answers: given, photos: photos.flatMap(({ id }) => id ?? []) };
      try {
        const { updatedAt } = await unwrap(api.drafts.$put({ json }), '');
        synced.current = { seen: updatedAt, sent };
        onSaved();
      } catch (error) {
        const code = error instanceof ApiError ? error.code : undefined;
        if (code === 'drafts.submitted') onSubmitted();
        else if (code === 'drafts.changed') setElsewhere((await read()) ?? undefined);
        // The device has it; the next step tries again.
        else log.warn('A draft could not be kept with its account', { error });
      }
    });
  };

  useEffect(() => {
    const hidden = () => document.visibilityState === 'hidden' && save();
    document.addEventListener('visibilitychange', hidden);
    return () => document.removeEventListener('visibilitychange', hidden);
  });

  return {
    synced,
    read,
    save,
    /** A draft of the account that this device has not seen, while it has changes of its own. */
    elsewhere,
    setElsewhere,
    forget(): void {
      if (on && synced.current.seen)
        unwrap(api.drafts[':key'].$delete({ param: { key: key() } }), '').catch((error) => log.warn('A draft could not be given up', { error }));
      synced.current = nothingSynced;
    },
  };
}
