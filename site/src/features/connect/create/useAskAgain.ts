import { useState } from 'react';
import { prices } from '../../../../../api/credits/rules.ts';
import type { ApiError } from '../../../lib/api.ts';
import type { Tried } from './draft.ts';
import type { useDraft } from './useDraft.ts';

/**
 * Asks once more before a post is sent again after a try without an answer, if balance, price or day
 * differ from those of the try.
 */
export function useAskAgain(
  { tried, setTried }: Pick<ReturnType<typeof useDraft>, 'tried' | 'setTried'>,
  balance: number | undefined,
) {
  const [asks, setAsks] = useState(false);
  const now = (): Tried => ({
    balance: balance ?? null,
    price: prices.post,
    day: new Date().toISOString().slice(0, 10),
  });
  return {
    asks,
    forget: () => setAsks(false),
    /** Remembers a try without an answer, of which nobody knows whether it arrived. */
    noteTry: ({ status }: ApiError) => setTried(status === 0 || status >= 500 ? now() : undefined),
    /** False if the person has to decide once more first. */
    mayGo(): boolean {
      const present = now();
      const differs =
        tried !== undefined &&
        ((balance !== undefined && tried.balance !== balance) ||
          tried.price !== present.price ||
          tried.day !== present.day);
      setAsks(differs);
      if (differs) setTried(present);
      return !differs;
    },
  };
}
