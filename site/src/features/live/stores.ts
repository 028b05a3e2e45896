import { useSyncExternalStore } from 'react';

/** A value that the islands of a page share. */
type Store<Value> = { get(): Value; set(value: Value): void; listen(heard: (value: Value) => void): () => void };

function makeStore<Value>(first: Value): Store<Value> {
  const listeners = new Set<(value: Value) => void>();
  let present = first;
  return {
    get: () => present,
    set(value) {
      if (value === present) return;
      present = value;
      for (const heard of [...listeners]) heard(value);
    },
    listen(heard) {
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
  };
}

/** What is in a store; while an island takes over the server's HTML, what that was written with. */
export const useStore = <Value>({ listen, get }: Store<Value>, first: Value): Value => useSyncExternalStore(listen, get, () => first);

/** How the page hears of changes: by events, trying again, by asking now and then, or not at all yet. */
export type Connection = 'off' | 'live' | 'reconnecting' | 'polling';

/** Shared by every island of a page: the lamp shows it. */
export const $connection = makeStore<Connection>('off');

export type Contacted = { productId: string; slotId: number; name: string };

/** The product that the consent step is about; nothing while it is closed. */
export const $contact = makeStore<Contacted | null>(null);
