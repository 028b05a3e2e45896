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
import { type Photo, PhotoQueue } from './photos.ts';
import {
  type AccountDraft,
  nothingSynced,
  printOf,
  toDraft,
  useAccountDraft,
} from './useAccountDraft.ts';
import { useOtherTabs } from './useOtherTabs.ts';
import type { Steps } from './useSteps.ts';
import { type Memory, useWaits, type Waits } from './useWaits.ts';

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

type Api = ReturnType<typeof browserApi>;
type Form = ReturnType<typeof useAnswers>;

/** Holds the answers, and those of an untouched form. */
function useAnswers(begin: Partial<Answers>) {
  // One state, so that a draft loaded with the profile sees its values.
  const [{ start, answers }, setForm] = useState(() => {
    const start: Answers = { ...emptyAnswers, ...begin };
    return { start, answers: start };
  });
  return {
    start,
    answers,
    set: (next: (now: Answers, start: Answers) => Answers) =>
      setForm(({ start, answers }) => ({ start, answers: next(answers, start) })),
    /** Fills empty answers, now and after each restart. */
    fill: (known: Partial<Answers>) =>
      setForm(({ start, answers }) => {
        const empty = Object.entries(known).filter(([name]) => !answers[name as AnswerName]);
        return {
          start: { ...start, ...known },
          answers: { ...answers, ...Object.fromEntries(empty) },
        };
      }),
  };
}

/** Fills empty answers from the user's profile, once the draft is restored. */
function useOwnProfile(
  { ownProfile, connection }: Pick<Options, 'ownProfile' | 'connection'>,
  api: Api,
  restored: boolean,
  fill: Form['fill'],
): void {
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when both are there
  useEffect(() => {
    const seller = me.data?.seller;
    if (!seller || !restored) return;
    fill({
      sellerName: seller.name,
      sellerWhatsapp: seller.whatsapp ?? '',
      sellerLocation: seller.location ?? '',
      businessName: seller.businessName ?? '',
    });
  }, [me.data, restored]);
}

/** Photos of the draft; failed uploads are tried again when the network is back. */
function usePhotos(
  { language, place }: Pick<Options, 'language' | 'place'>,
  api: Api,
  isOwn: (id: string) => boolean,
) {
  const [keep] = useState(() => keepPhotos(place));
  const [queue] = useState(
    () =>
      new PhotoQueue({
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
  useEffect(() => {
    const online = () => queue.retryAll();
    window.addEventListener('online', online);
    return () => window.removeEventListener('online', online);
  }, [queue]);
  return { keep, queue, state };
}

type Sources = Pick<Options, 'place' | 'product' | 'steps'> & {
  memory: Memory;
  form: Form;
  photos: ReturnType<typeof usePhotos>;
  shared: ReturnType<typeof useAccountDraft>;
  here: () => { answers: Partial<Answers>; photos: readonly { id?: string | undefined }[] };
  setLost: (lost: boolean) => void;
  setFoundAt: (at: number | undefined) => void;
  setWaits: (waits: Waits) => void;
  setRestored: (restored: boolean) => void;
};

/** Loads the draft of this device or of the account, or starts an empty one. */
function sourcesOf({ place, product, steps, memory, form, photos, shared, here, ...set }: Sources) {
  const { keep, queue } = photos;
  const beginAnew = () => {
    storage.remove(place);
    memory.key = newKey();
    memory.had = {};
    memory.waits = false;
    set.setWaits(undefined);
    form.set((_, start) => start);
  };
  const goOnWith = (remote: AccountDraft) => {
    const draft = toDraft(remote);
    void keep.clear();
    memory.key = draft.key;
    memory.had = draft.answers;
    memory.waits = false;
    set.setWaits(undefined);
    shared.synced.current = draft.synced ?? nothingSynced;
    shared.setElsewhere(undefined);
    void queue.restore(draft.photos);
    form.set((_, start) => ({ ...start, ...draft.answers }));
    set.setFoundAt(draft.at);
  };
  /**
   * Takes over the account's draft, or its deletion, unless this device has unsaved changes. True if
   * the account has another one.
   */
  const compare = async (): Promise<boolean> => {
    const remote = await shared.read();
    const { seen, sent } = shared.synced.current;
    if (remote === undefined || remote?.updatedAt === seen || (remote && shared.isOwn(remote)))
      return false;
    const { answers, photos } = here();
    const unsaved = !memory.pristine && printOf(answers, photos) !== sent;
    if (remote) {
      if (unsaved) shared.setElsewhere(remote);
      else goOnWith(remote);
      return true;
    }
    if (seen && !unsaved) {
      queue.clear(false);
      beginAnew();
      set.setFoundAt(undefined);
    }
    shared.synced.current = nothingSynced;
    return false;
  };
  /** True if photos are lost. */
  const takeUp = async (): Promise<boolean> => {
    let lost = false;
    const draft = readDraft(storage, place, Date.now());
    memory.key = draft?.key ?? newKey();
    memory.had = draft?.answers ?? {};
    memory.waits = draft?.waits ?? false;
    shared.synced.current = draft?.synced ?? nothingSynced;
    if (draft) {
      lost = await queue.restore(product ? stillThere(draft.photos, product) : draft.photos);
      set.setLost(lost);
      set.setFoundAt(draft.at);
      // Text typed before hydration or during the read is newer than the draft.
      const old = Object.entries({ ...draft.answers, ...draft.whole }) as [AnswerName, never][];
      form.set((now, start) => ({
        ...now,
        ...Object.fromEntries(old.filter(([name]) => now[name] === start[name])),
      }));
      steps.resume(draft.step);
    } else {
      // An abandoned draft may have left photos.
      await keep.clear();
      if (product) await queue.restore(ownPhotos(product));
    }
    return lost;
  };
  /** Sends a draft that waits if its photos are there and the account has no other one. */
  const open = async () => {
    const incomplete = await takeUp();
    set.setRestored(true);
    const other = await compare();
    if (memory.waits && !incomplete && !other) set.setWaits('found');
  };
  return { beginAnew, goOnWith, takeUp, open };
}

/** The end of a draft: it is submitted, and leaves the device. */
const endsOf = ({ place, memory, photos }: Pick<Sources, 'place' | 'memory' | 'photos'>) => ({
  async finish() {
    rememberSubmitted(storage, memory.key);
    memory.waits = false;
    storage.remove(place);
    await photos.keep.clear();
  },
});

const idsOf = (photos: readonly { id?: string; key?: string }[]): string =>
  photos.map(({ id, key }) => id ?? key).join();

/** Keeps the draft on the device; an untouched form is none. */
function storeDraft(
  { place, steps }: Pick<Options, 'place' | 'steps'>,
  memory: Memory,
  { answers, changed }: { answers: Answers; changed: Partial<Answers> },
  photos: readonly Photo[],
  synced: unknown,
): void {
  if (wasSubmitted(storage, memory.key)) return;
  if (memory.pristine) {
    storage.remove(place);
    return;
  }
  const kept = photos.map(({ key, id, copy, name, size, was, sentAt }) => ({
    ...{ key, name, size, was },
    ...(id && copy && sentAt ? { id, src: copy, sentAt } : {}),
  }));
  const { key, waits } = memory;
  const draft = {
    ...{ answers: changed, step: steps.order, photos: kept, key, at: Date.now(), synced },
    // One that waits goes without a look at the profile, which may have changed.
    ...(waits ? { waits, whole: answers } : {}),
  };
  storage.set(place, JSON.stringify(draft));
}

/** Draft saved on the device at every change until submission (decision 017). Call `open` once. */
export function useDraft(options: Options) {
  const { language, place, begin, ownProfile, product, steps } = options;
  const api = useMemo(() => browserApi(language), [language]);
  const form = useAnswers(begin);
  const { start, answers } = form;
  const [foundAt, setFoundAt] = useState<number>();
  const [lost, setLost] = useState(false);
  const [restored, setRestored] = useState(false);
  const [already, setAlready] = useState(false);
  const memory = useRef<Memory>({ key: '', pristine: true, had: {}, waits: false }).current;
  const isSubmitted = () => wasSubmitted(storage, memory.key);
  const own = product?.photos ?? noPhotos;
  const isOwn = (id: string | undefined) => own.some((photo) => photo.id === id);
  const kept = usePhotos(options, api, isOwn);
  const { queue, state } = kept;
  const { photos } = state;

  const here = useRef<ReturnType<Sources['here']>>({ answers: {}, photos });
  here.current = { answers: keptAnswers(answers, start, memory.had), photos };
  const persist = () => {
    const changed = here.current.answers;
    // A change starts with the product's photos: the same ones are no change.
    memory.pristine = Object.keys(changed).length === 0 && idsOf(photos) === idsOf(own);
    storeDraft(options, memory, { answers, changed }, photos, shared.synced.current);
  };
  const latest = useRef(persist);
  latest.current = persist;
  const { setWaits, ...waiting } = useWaits(place, memory, () => latest.current());
  const shared = useAccountDraft({
    on: ownProfile,
    api,
    key: () => memory.key,
    now: () => here.current,
    ready: () => restored && !memory.pristine && !isSubmitted(),
    onSynced: () => latest.current(),
    onSubmitted: () => setAlready(true),
  });
  const sources = sourcesOf({
    ...{ place, product, steps, memory, form, photos: kept, shared },
    ...{ setLost, setFoundAt, setWaits, setRestored },
    here: () => here.current,
  });
  useOtherTabs({
    isSubmitted,
    onSubmitted: () => setAlready(true),
    onStored: ({ key, newValue }) => {
      if (key !== place) return;
      if (memory.waits) waiting.stillWaits();
      if (newValue && memory.pristine) void sources.takeUp();
    },
  });
  useOwnProfile(options, api, restored, form.fill);

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
      form.set((now) => ({ ...now, [name]: value })),
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
    key: () => memory.key,
    /** Name of the draft on this device, with its owner. */
    place,
    ...waiting,

    elsewhere: shared.elsewhere,
    takeElsewhere: () => shared.elsewhere && sources.goOnWith(shared.elsewhere),
    open() {
      void sources.open();
    },
    sendPhotosAgain() {
      for (const photo of photos)
        if (!isOwn(photo.id)) void queue.sendAgain(photo.key).then((kept) => kept || setLost(true));
    },
    ...endsOf({ place, memory, photos: kept }),
    restart() {
      // Photos of a submitted draft belong to the product.
      queue.clear(!already);
      setAlready(false);
      if (product) void queue.restore(ownPhotos(product));
      shared.forget();
      sources.beginAnew();
      setLost(false);
    },
  };
}

export type WizardDraft = ReturnType<typeof useDraft>;
