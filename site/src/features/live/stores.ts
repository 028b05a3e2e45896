import { atom, type ReadableAtom } from 'nanostores';
import { useSyncExternalStore } from 'react';

/** What is in a store; while an island takes over the server's HTML, what that was written with. */
export const useStore = <Value>(store: ReadableAtom<Value>, first: Value): Value =>
  useSyncExternalStore(store.listen, store.get, () => first);

/** How the page hears of changes: by events, trying again, by asking now and then, or not at all yet. */
export type Connection = 'off' | 'live' | 'reconnecting' | 'polling';

/** Shared by every island of a page: the lamp shows it. */
export const $connection = atom<Connection>('off');

export type Contacted = { productId: string; slotId: number; name: string };

/** The product that the consent step is about; nothing while it is closed. */
export const $contact = atom<Contacted | null>(null);
