import type { Sql } from 'postgres';
import type { Answer, Person, Request } from '../testbed/people.ts';

/** A writer and its state so far. Two writers may be one person in two browsers. */
export type Writer = Person & {
  n: number;
  posts: string[];
  purchases: string[];
  photos: string[];
  said: number;
};
/** State that all writers share; the market in it is a moment old, from an admin's pages. */
export type World = {
  admin: Person;
  writers: Writer[];
  dice: () => number;
  pick<T>(list: readonly T[]): T | undefined;
  seen: Seen;
};
export type Seen = {
  listed: number;
  pending: string[];
  waiting: string[];
  removed: string[];
  slots: { id: number; productId: string; paused: boolean }[];
  sellers: { id: string; suspended: boolean }[];
};
export type Asked = { as: Person; path: string } & Omit<Request, 'key'>;
export type Promised = { subject: string; text: string };

/**
 * One kind of write. `draft` makes the request (undefined: nothing to act on), `promise` reads what
 * the answer acknowledged, `kept` reads all of this kind in the database.
 */
export type Act = {
  name: string;
  weight: number;
  draft(world: World, writer: Writer): Asked | undefined;
  promise(asked: Asked, answer: Answer, writer: Writer): Promised;
  kept(sql: Sql): Promise<string[]>;
  /**
   * `once`: the request has a key, so exactly what was acknowledged exists. `counted`: no key, so
   * an unanswered request may have been carried out too. `last`: the latest promise per subject
   * counts.
   */
  held: 'once' | 'counted' | 'last';
};

export const textsOf = async (rows: PromiseLike<readonly { text: string }[]>) =>
  (await rows).map(({ text }) => text);
export const once = (text: unknown): Promised => ({ subject: String(text), text: String(text) });
const jsonOf = ({ json }: Asked) => json as Record<string, string>;
const referenceIn = ({ path }: Asked) => path.split('/')[4] ?? '';

let things = 0;

export const connectActs: readonly Act[] = [
  {
    name: 'publish',
    weight: 5,
    draft: ({ dice }, as) => {
      const words = {
        title: `Request ${++things}`,
        description: 'Somebody with a van, on Saturday.',
        category: 'transportation',
        tags: ['van'],
      };
      return {
        as,
        path: '/api/connect/posts',
        json: { ...words, ...(dice() < 0.9 ? { contactWhatsapp: '+237699001000' } : {}) },
      };
    },
    promise(_asked, { body }, writer) {
      writer.posts.push(String(body.reference));
      return once(`${body.reference} ${writer.userId}`);
    },
    kept: (sql) => textsOf(sql`select reference || ' ' || user_id as text from connect_posts`),
    held: 'once',
  },
  {
    name: 'respond',
    weight: 8,
    draft({ pick, writers }, as) {
      const reference = pick(
        writers
          .filter(({ userId }) => userId !== as.userId)
          .flatMap(({ posts }) => posts.slice(-4)),
      );
      return reference
        ? { as, path: `/api/connect/posts/${reference}/responses`, method: 'POST' }
        : undefined;
    },
    promise: (asked, _answer, { userId }) => once(`${referenceIn(asked)} ${userId}`),
    kept: (sql) =>
      textsOf(
        sql`select p.reference || ' ' || r.user_id as text from connect_responses r join connect_posts p on p.id = r.post_id`,
      ),
    held: 'once',
  },
  {
    name: 'update',
    weight: 3,
    draft({ pick }, as) {
      const reference = pick(as.posts);
      return reference
        ? {
            as,
            path: `/api/connect/posts/${reference}/updates`,
            json: { type: 'progress', message: `News ${++things}` },
          }
        : undefined;
    },
    promise: (_asked, { body }) => once(body.id),
    kept: (sql) => textsOf(sql`select id::text as text from connect_updates`),
    held: 'once',
  },
  {
    name: 'toggle',
    weight: 2,
    draft({ pick, dice }, as) {
      const reference = pick(as.posts);
      return reference
        ? {
            as,
            path: `/api/connect/posts/${reference}/status`,
            method: 'PUT',
            json: { status: dice() < 0.7 ? 'active' : 'closed' },
          }
        : undefined;
    },
    promise: (asked) => ({
      subject: referenceIn(asked),
      text: `${referenceIn(asked)} ${jsonOf(asked).status}`,
    }),
    kept: (sql) => textsOf(sql`select reference || ' ' || status as text from connect_posts`),
    held: 'last',
  },
  {
    name: 'purchase',
    weight: 3,
    draft: ({ pick }, as) => ({
      as,
      path: '/api/credits/purchases',
      json: { method: pick(['stripe', 'mobile_money', 'cash_partner', 'cash_partner']) },
    }),
    promise(asked, { body }, writer) {
      if (jsonOf(asked).method === 'cash_partner') writer.purchases.push(String(body.id));
      return once(body.id);
    },
    kept: (sql) => textsOf(sql`select id::text as text from purchases`),
    held: 'once',
  },
  {
    name: 'cancel',
    weight: 2,
    draft(_world, as) {
      const id = as.purchases.pop();
      return id ? { as, path: `/api/credits/purchases/${id}/cancel`, method: 'POST' } : undefined;
    },
    promise: (_asked, { body }) => once(body.id),
    kept: (sql) => textsOf(sql`select id::text as text from purchases where status = 'cancelled'`),
    held: 'once',
  },
  {
    name: 'settle',
    weight: 1,
    draft({ admin, pick, writers }) {
      const id = pick(writers.flatMap(({ purchases }) => purchases));
      return id
        ? {
            as: admin,
            path: `/api/admin/credits/purchases/${id}/settle`,
            json: { reference: `receipt ${id}` },
          }
        : undefined;
    },
    promise: (_asked, { body }) => once(body.id),
    kept: (sql) =>
      textsOf(
        sql`select id::text as text from purchases where status = 'completed' and purchase_method = 'cash_partner'`,
      ),
    held: 'once',
  },
  {
    name: 'correct',
    weight: 3,
    draft: ({ admin, dice }, { userId }) => ({
      as: admin,
      path: '/api/admin/credits/corrections',
      json: { userId, amount: dice() < 0.8 ? 12 : -3, reason: `Reason ${++things}` },
    }),
    promise: (asked) => once(`${jsonOf(asked).reason}: ${jsonOf(asked).amount}`),
    kept: (sql) =>
      textsOf(
        sql`select reason || ': ' || amount as text from credit_entries where kind = 'correction'`,
      ),
    held: 'once',
  },
];

/** Checks that members' purchases are final, once the simulated payments have had their time. */
export async function finishPurchases(
  sql: Sql,
  look: (person: Person) => Promise<unknown>,
  people: readonly Person[],
): Promise<void> {
  await sql`update purchases set ask_at = created_at where status = 'pending' and ask_at is not null and created_at < now() - interval '4 seconds'`;
  for (const person of people) await look(person);
}
