import { atom, type ReadableAtom } from 'nanostores';
import { useSyncExternalStore } from 'react';

/** Value of a store; during hydration `first`, which the server rendered. */
export const useStore = <Value>(store: ReadableAtom<Value>, first: Value): Value =>
  useSyncExternalStore(store.listen, store.get, () => first);

/** Transport of changes; 'off' before the first connection. */
export type Connection = 'off' | 'live' | 'reconnecting' | 'polling';

/** Shared by all islands; the lamp shows it. */
export const $connection = atom<Connection>('off');

export type Contacted = { productId: string; slotId: number; name: string };

/** Product of the open consent step; null while closed. */
export const $contact = atom<Contacted | null>(null);
