import { useEffect, useState } from 'react';
import { newKey } from '../../../lib/key.ts';
import { storage } from '../../../lib/storage.ts';
import {
  type Answers,
  type Draft,
  draftPlace,
  emptyAnswers,
  isEmpty,
  readDraft,
  type Tried,
} from './draft.ts';

const anew = (): Draft => ({ answers: emptyAnswers, key: newKey(), at: Date.now() });

/** Draft saved on the device at every change, until it is published. */
export function useDraft(owner: number | undefined) {
  const place = draftPlace(owner);
  const [draft, setDraft] = useState(() => readDraft(storage, place, Date.now()) ?? anew());

  useEffect(() => {
    if (isEmpty(draft.answers)) storage.remove(place);
    else storage.set(place, JSON.stringify(draft));
  }, [draft, place]);

  return {
    ...draft,
    set: (change: Partial<Answers>) =>
      setDraft(({ answers, ...rest }) => ({
        ...rest,
        answers: { ...answers, ...change },
        at: Date.now(),
      })),
    setTried: (tried: Tried | undefined) => setDraft((now) => ({ ...now, tried })),
    /** Deletes the draft. */
    clear: () => {
      storage.remove(place);
      setDraft(anew());
    },
  };
}
