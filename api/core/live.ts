import type { Sql } from 'postgres';
import type { Log } from './log.ts';

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
 * What Postgres announces on the columns that pages show (triggers of the migrations): a kind, and whose. A `seller` is news for buyers, a `person`
 * for admins alone; `access`, the end of an admin's session, is for the server itself; a `post` is a new one of Connect (connect/publish.ts).
 */
export type News = { kind: (typeof kinds)[number]; id: string };

export type Live = {
  /** Calls back with every piece of news, in order. Answers how to stop. */
  subscribe(listener: (news: News) => void): () => void;
  /** Calls back when the connection to the database came back: anything may have been missed. */
  onResume(listener: () => void): () => void;
  close(): Promise<void>;
};

/** Reads a payload of the `market` channel; nothing when it is none of ours. */
export function parseNews(payload: string): News | undefined {
  const colon = payload.indexOf(':');
  const kind = payload.slice(0, colon);
  const known = kinds.find((name) => name === kind);
  return known && { kind: known, id: payload.slice(colon + 1) };
}

/** One LISTEN for the whole process, however many pages are open: the work per change does not grow with the readers. */
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
    // A line that was lost listens no more; to stop must not fail over it.
    close: () => subscription.unlisten().catch(() => undefined),
  };
}
