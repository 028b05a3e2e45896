import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { Language } from '../../../../../locales/languages.ts';
import { browserApi, unwrap } from '../../../lib/api.ts';
import { newKey } from '../../../lib/key.ts';
import { log } from '../../../lib/log.ts';
import { queryClient } from '../../../lib/query.ts';
import { storage } from '../../../lib/storage.ts';
import {
  type AnswerName,
  type Answers,
  type EditedProduct,
  emptyAnswers,
  keptAnswers,
  ownPhotos,
  readDraft,
  rememberSubmitted,
  stillThere,
  wasSubmitted,
} from './draft.ts';
import { keepPhotos } from './keep.ts';
import { photoQueue } from './photos.ts';
import { nothingSynced, printOf, type Shared, toDraft, useShared } from './useShared.ts';
import type { Steps } from './useSteps.ts';

type Options = {
  language: Language;
  place: string;
  begin: Partial<Answers>;
  /** Fills empty fields from the user's profile. */
  ownProfile: boolean;
  product: EditedProduct | undefined;
  connection: string;
  steps: Steps;
};

const noPhotos: EditedProduct['photos'] = [];

/** Draft saved on the device at every change until submission (decision 017). Call `open` once. */
export function useDraft({
  language,
  place,
  begin,
  ownProfile,
  product,
  connection,
  steps,
}: Options) {
  const api = useMemo(() => browserApi(language), [language]);
  // One state, so that a draft loaded with the profile sees its values.
  const [{ start, answers }, setForm] = useState(() => {
    const start: Answers = { ...emptyAnswers, ...begin };
    return { start, answers: start };
  });
  const setAnswers = (next: (now: Answers, start: Answers) => Answers) =>
    setForm(({ start, answers }) => ({ start, answers: next(answers, start) }));
  const [foundAt, setFoundAt] = useState<number>();
  const [lost, setLost] = useState(false);
  const [restored, setRestored] = useState(false);
  const [already, setAlready] = useState(false);
  const key = useRef('');
  const pristine = useRef(true);
  const had = useRef<Partial<Answers>>({});
  const own = product?.photos ?? noPhotos;
  const isOwn = (id: string | undefined) => own.some((photo) => photo.id === id);

  const [keep] = useState(() => keepPhotos(place));
  const [queue] = useState(() =>
    photoQueue({
      language,
      keep,
      // Best effort: unattached photos expire after a day. The product's own photos are never
      // deleted here.
      discard: (id) => {
        if (!isOwn(id))
          unwrap(api.uploads[':id'].$delete({ param: { id } }), '').catch((error) =>
            log.warn('A photo could not be given back', { error }),
          );
      },
    }),
  );
  const state = useSyncExternalStore(queue.subscribe, queue.read, queue.read);
  const { photos } = state;

  const persist = () => {
    const changed = here.current.answers;
    const kept = photos.map(({ key: name_, id, copy, name, size, was, sentAt }) => ({
      ...{ key: name_, name, size, was },
      ...(id && copy && sentAt ? { id, src: copy, sentAt } : {}),
    }));
    // A change starts with the product's photos: the same ones are no change.
    const photosChanged =
      photos.map((photo) => photo.id ?? photo.key).join() !== own.map(({ id }) => id).join();
    pristine.current = Object.keys(changed).length === 0 && !photosChanged;
    if (wasSubmitted(storage, key.current)) return;
    if (pristine.current) storage.remove(place);
    else
      storage.set(
        place,
        JSON.stringify({
          answers: changed,
          step: steps.order,
          photos: kept,
          key: key.current,
          at: Date.now(),
          synced: shared.synced.current,
        }),
      );
  };
  const latest = useRef(persist);
  latest.current = persist;
  const here = useRef({
    answers: {} as Partial<Answers>,
    photos: photos as readonly { id?: string | undefined }[],
  });
  here.current = { answers: keptAnswers(answers, start, had.current), photos };
  const shared = useShared({
    on: ownProfile,
    api,
    key: () => key.current,
    now: () => here.current,
    ready: () => restored && !pristine.current && !wasSubmitted(storage, key.current),
    onSynced: () => latest.current(),
    onSubmitted: () => setAlready(true),
  });

  const goOnWith = (remote: Shared) => {
    const draft = toDraft(remote);
    void keep.clear();
    key.current = draft.key;
    had.current = draft.answers;
    shared.synced.current = draft.synced ?? nothingSynced;
    shared.setElsewhere(undefined);
    void queue.restore(draft.photos);
    setAnswers((_, start) => ({ ...start, ...draft.answers }));
    setFoundAt(draft.at);
  };
  /** Takes over the account's draft, or its deletion, unless this device has unsaved changes. */
  const compare = async () => {
    const remote = await shared.read();
    const { seen, sent } = shared.synced.current;
    if (remote === undefined || remote?.updatedAt === seen || (remote && shared.isOwn(remote)))
      return;
    const unsaved =
      !pristine.current && printOf(here.current.answers, here.current.photos) !== sent;
    if (remote) return unsaved ? shared.setElsewhere(remote) : goOnWith(remote);
    if (seen && !unsaved) {
      storage.remove(place);
      queue.clear(false);
      key.current = newKey();
      had.current = {};
      setAnswers((_, start) => start);
      setFoundAt(undefined);
    }
    shared.synced.current = nothingSynced;
  };

  const takeUp = async () => {
    const draft = readDraft(storage, place, Date.now());
    key.current = draft?.key ?? newKey();
    had.current = draft?.answers ?? {};
    shared.synced.current = draft?.synced ?? nothingSynced;
    if (draft) {
      setLost(await queue.restore(product ? stillThere(draft.photos, product) : draft.photos));
      setFoundAt(draft.at);
      // Text typed before hydration or during the read is newer than the draft.
      const old = Object.entries(draft.answers) as [AnswerName, never][];
      setAnswers((now, start) => ({
        ...now,
        ...Object.fromEntries(old.filter(([name]) => now[name] === start[name])),
      }));
      steps.resume(draft.step);
    } else {
      // An abandoned draft may have left photos.
      await keep.clear();
      if (product) await queue.restore(ownPhotos(product));
    }
  };
  const isSubmitted = () => wasSubmitted(storage, key.current);

  useEffect(() => {
    const online = () => queue.retryAll();
    // Back button after a submission: start the next product.
    const shown = (event: PageTransitionEvent) =>
      event.persisted && wasSubmitted(storage, key.current) && window.location.reload();
    window.addEventListener('online', online);
    window.addEventListener('pageshow', shown);
    return () => {
      window.removeEventListener('online', online);
      window.removeEventListener('pageshow', shown);
    };
  }, [queue]);

  // Another tab has this draft: an untouched tab follows it, and none submits it twice.
  useEffect(() => {
    const heard = (event: StorageEvent) => {
      if (isSubmitted()) setAlready(true);
      else if (event.key === place && event.newValue && pristine.current) void takeUp();
    };
    window.addEventListener('storage', heard);
    return () => window.removeEventListener('storage', heard);
  });

  const me = useQuery(
    {
      queryKey: ['me'],
      queryFn: () => unwrap(api.auth.me.$get(), connection),
      enabled: ownProfile,
    },
    queryClient(),
  );
  // The session ended before this request; its event reaches other pages only.
  useEffect(() => {
    if (me.data?.role === 'visitor') location.reload();
  }, [me.data]);
  useEffect(() => {
    const seller = me.data?.seller;
    if (!seller || !restored) return;
    const known = {
      sellerName: seller.name,
      sellerWhatsapp: seller.whatsapp ?? '',
      sellerLocation: seller.location ?? '',
      businessName: seller.businessName ?? '',
    };
    setForm(({ start, answers }) => ({
      start: { ...start, ...known },
      answers: {
        ...answers,
        sellerName: answers.sellerName || known.sellerName,
        sellerWhatsapp: answers.sellerWhatsapp || known.sellerWhatsapp,
        sellerLocation: answers.sellerLocation || known.sellerLocation,
        businessName: answers.businessName || known.businessName,
      },
    }));
  }, [me.data, restored]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is kept of it has changed
  useEffect(() => {
    if (restored) persist();
  }, [answers, start, photos, steps.order, own, restored, place]);
  const arrived = photos.filter(({ id }) => id).length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each step, and with each photo that has arrived
  useEffect(() => {
    if (restored) shared.save();
  }, [steps.order, arrived, restored]);

  return {
    answers,
    set: <Name extends AnswerName>(name: Name, value: Answers[Name]) =>
      setAnswers((now) => ({ ...now, [name]: value })),
    queue,
    state,
    lost,
    photoLost: () => setLost(true),
    /** Last change of the restored draft, until the user goes on. */
    foundAt,
    dismissFound: () => setFoundAt(undefined),
    /** Submitted by another tab, or by a try without an answer. */
    already,
    sayAlready: () => setAlready(true),
    isSubmitted,
    /** Idempotency key (product R34). */
    key: () => key.current,

    elsewhere: shared.elsewhere,
    takeElsewhere: () => shared.elsewhere && goOnWith(shared.elsewhere),
    open() {
      void takeUp().then(() => {
        setRestored(true);
        void compare();
      });
    },
    sendPhotosAgain() {
      for (const photo of photos)
        if (!isOwn(photo.id)) void queue.sendAgain(photo.key).then((kept) => kept || setLost(true));
    },
    async finish() {
      rememberSubmitted(storage, key.current);
      storage.remove(place);
      await keep.clear();
    },
    restart() {
      // Photos of a submitted draft belong to the product.
      queue.clear(!already);
      setAlready(false);
      if (product) void queue.restore(ownPhotos(product));
      shared.forget();
      storage.remove(place);
      key.current = newKey();
      had.current = {};
      setAnswers((_, start) => start);
      setLost(false);
    },
  };
}

export type WizardDraft = ReturnType<typeof useDraft>;
