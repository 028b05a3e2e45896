import type { InferResponseType } from 'hono/client';
import { useEffect, useRef, useState } from 'react';
import { type ApiClient, ApiError, unwrap } from '../../../lib/api.ts';
import { log } from '../../../lib/log.ts';
import { sourceFor } from '../../market/slots.ts';
import type { AnswerName, Answers, Draft, KeptPhoto, Synced } from './draft.ts';

export type AccountDraft = NonNullable<
  InferResponseType<ApiClient['drafts']['$get'], 200>['draft']
>;
export const nothingSynced: Synced = { seen: null, sent: '' };

export const printOf = (
  answers: Partial<Answers>,
  photos: readonly { id?: string | undefined }[],
): string => JSON.stringify([Object.entries(answers).sort(), photos.flatMap(({ id }) => id ?? [])]);

export function toDraft({
  key,
  answers,
  photos,
  updatedAt,
}: AccountDraft): Draft & { answers: Partial<Answers> } {
  const kept = photos.map(
    ({ id, image }): KeptPhoto => ({
      key: id,
      id,
      src: sourceFor(image, 720),
      name: '',
      size: 0,
      was: 0,
      sentAt: Date.now(),
    }),
  );
  const given = Object.fromEntries(
    Object.entries(answers).filter(([, value]) => value !== undefined),
  ) as Partial<Answers>;
  return {
    key,
    answers: given,
    photos: kept,
    step: 0,
    at: Date.parse(updatedAt),
    synced: { seen: updatedAt, sent: printOf(given, kept) },
  };
}

type Options = {
  /** Only a user's own new product is shared. */
  on: boolean;
  api: ApiClient;
  key: () => string;
  now: () => { answers: Partial<Answers>; photos: readonly { id?: string | undefined }[] };
  ready: () => boolean;
  onSynced: () => void;
  onSubmitted: () => void;
};

/**
 * Saves a draft with the account, for chats and other devices (decision 049). Never overwrites a
 * change made elsewhere: the user chooses.
 */
export function useAccountDraft({ on, api, key, now, ready, onSynced, onSubmitted }: Options) {
  const synced = useRef<Synced>(nothingSynced);
  const saving = useRef<Promise<void>>(Promise.resolve());
  const [elsewhere, setElsewhere] = useState<AccountDraft>();

  const read = async (): Promise<AccountDraft | null | undefined> =>
    on
      ? unwrap(api.drafts.$get(), '').then(
          ({ draft }) => draft,
          () => undefined,
        )
      : undefined;

  const sync = (known: Synced) => {
    synced.current = known;
    onSynced();
  };
  /** The remote draft is this device's last save, whose answer was lost. */
  const isOwn = (remote: AccountDraft): boolean => {
    const { answers, photos } = toDraft(remote);
    const sent = printOf(answers, photos);
    const own = remote.key === key() && sent === synced.current.tried;
    if (own) sync({ seen: remote.updatedAt, sent });
    return own;
  };

  const save = () => {
    saving.current = saving.current.then(async () => {
      if (!on || !ready() || elsewhere) return;
      if (synced.current.tried !== undefined) {
        const remote = await read();
        if (remote === undefined) return;
        if (remote) isOwn(remote);
      }
      const { answers, photos } = now();
      const sent = printOf(answers, photos);
      if (sent === synced.current.sent) return;
      const { sellerId: _, ...given } = answers as Partial<Record<AnswerName, never>>;
      const json = {
        key: key(),
        seen: synced.current.seen,
        answers: given,
        photos: photos.flatMap(({ id }) => id ?? []),
      };
      const { seen, sent: before } = synced.current;
      sync({ seen, sent: before, tried: sent });
      try {
        // Completes although the page is left.
        const { updatedAt } = await unwrap(
          api.drafts.$put({ json }, { init: { keepalive: true } }),
          '',
        );
        sync({ seen: updatedAt, sent });
      } catch (error) {
        const { code, status } = error instanceof ApiError ? error : { code: undefined, status: 0 };
        if (status > 0) sync({ seen, sent: before });
        if (code === 'drafts.submitted') onSubmitted();
        else if (code === 'drafts.changed') setElsewhere((await read()) ?? undefined);
        // Kept on the device; the next step retries.
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
    isOwn,
    save,
    elsewhere,
    setElsewhere,
    forget(): void {
      const { seen, tried } = synced.current;
      if (on && (seen !== null || tried !== undefined))
        unwrap(api.drafts[':key'].$delete({ param: { key: key() } }), '').catch((error) =>
          log.warn('A draft could not be given up', { error }),
        );
      synced.current = nothingSynced;
    },
  };
}
