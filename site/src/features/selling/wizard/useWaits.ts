import { useState } from 'react';
import { storage } from '../../../lib/storage.ts';
import { type Answers, readDraft } from './draft.ts';

/**
 * The draft's key, whether it is untouched, the answers it was restored with (`had`), and whether it
 * waits for the network.
 */
export type Memory = { key: string; pristine: boolean; had: Partial<Answers>; waits: boolean };
/** A draft waits since its owner has just submitted it, or since an earlier visit. */
export type Waits = 'ordered' | 'found' | undefined;

/** State of a draft that goes by itself once there is a network. */
export function useWaits(place: string, memory: Memory, persist: () => void) {
  const [waits, setWaits] = useState<Waits>();
  return {
    waits,
    setWaits,
    /** False if another tab has stopped, changed or thrown away what waits. */
    stillWaits(): boolean {
      const stored = readDraft(storage, place, Date.now());
      if (stored?.waits && stored.key === memory.key) return true;
      memory.waits = false;
      setWaits(undefined);
      return false;
    },
    /** Lets the draft go by itself, or no longer. */
    wait(on: boolean) {
      memory.waits = on;
      setWaits(on ? 'ordered' : undefined);
      persist();
    },
  };
}
