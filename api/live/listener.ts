import type { Sql } from 'postgres';
import type { Log } from '../ops/log.ts';

const kinds = [
  'slot',
  'product',
  'seller',
  'settings',
  'queue',
  'pending',
  'person',
  'access',
  'post',
] as const;
/**
 * A change announced by database triggers, with its subject's id. `seller` is for buyers, `person`
 * for admins, `access` (an admin's session ended) for the server; `post` is new on Connect
 * (connect/publish.ts).
 */
export type News = { kind: (typeof kinds)[number]; id: string };

export type Live = {
  /** Returns the unsubscribe function. */
  subscribe(listener: (news: News) => void): () => void;
  /** Called after a reconnect, when news may have been missed. */
  onResume(listener: () => void): () => void;
  close(): Promise<void>;
};

export function parseNews(payload: string): News | undefined {
  const colon = payload.indexOf(':');
  const kind = payload.slice(0, colon);
  const known = kinds.find((name) => name === kind);
  return known && { kind: known, id: payload.slice(colon + 1) };
}

/** One LISTEN per process: a change's cost does not grow with open pages. */
export async function listenForNews(sql: Sql, log: Log): Promise<Live> {
  const listeners = new Set<(news: News) => void>();
  const resumed = new Set<() => void>();
  const guarded = (name: string, call: () => void) => {
    try {
      call();
    } catch (error) {
      log.error(`A listener for ${name} failed`, { error });
    }
  };
  let first = true;
  const subscription = await sql.listen(
    'market',
    (payload) => {
      const news = parseNews(payload);
      if (news) for (const listener of listeners) guarded(payload, () => listener(news));
    },
    () => {
      if (!first) for (const listener of resumed) guarded('resume', listener);
      first = false;
    },
  );
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onResume(listener) {
      resumed.add(listener);
      return () => resumed.delete(listener);
    },
    // Closing must not fail over a lost connection.
    close: () => subscription.unlisten().catch(() => undefined),
  };
}
