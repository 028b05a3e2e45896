import type { Sql } from 'postgres';
import { draftJson } from '../../tests/support/products.ts';
import { telegramUpdate, toTelegram } from '../testbed/networks.ts';
import { type Act, type Asked, once, type Seen, textsOf } from './acts.ts';

/** An admin's write without a key: the audit log must hold it under its request's id. */
const audited = (
  name: string,
  weight: number,
  actions: readonly string[],
  draft: Act['draft'],
): Act => ({
  name,
  weight,
  draft,
  promise: (_asked, { requestId }) => once(requestId),
  kept: (sql) =>
    textsOf(sql`select request_id as text from audit_log where action in ${sql(actions)}`),
  held: 'counted',
});

/** A write that is made once per product, by key. */
const decided = (name: string, weight: number, action: string, draft: Act['draft']): Act => ({
  name,
  weight,
  draft,
  promise: ({ path }) => once(path.split('/')[4]),
  kept: (sql) => textsOf(sql`select subject_id as text from audit_log where action = ${action}`),
  held: 'once',
});

const asAdmin = (
  as: Asked['as'],
  thing: unknown,
  act: string,
  json?: unknown,
): Asked | undefined =>
  thing === undefined
    ? undefined
    : { as, path: `/api/admin/${act}`, method: 'POST', ...(json === undefined ? {} : { json }) };

/** More would exceed the limit of one chat in {@link createReceiver}, and get no reply. */
const messagesInAChat = 8;

/**
 * Writes on the stalls by sellers, buyers and admins, on the web and in chats; sellers send
 * `photo`.
 */
export const marketActs = (photo: Uint8Array<ArrayBuffer>): readonly Act[] => [
  {
    name: 'upload',
    weight: 5,
    draft: (_world, as) =>
      as.photos.length > 4 ? undefined : { as, path: '/api/uploads', bytes: photo },
    promise(_asked, { body }, writer) {
      writer.photos.push(String(body.id));
      return once(body.id);
    },
    // Unused uploads stay for a day.
    kept: (sql) => textsOf(sql`select id::text as text from uploads`),
    held: 'counted',
  },
  {
    name: 'submit',
    weight: 8,
    draft({ dice }, as) {
      const image = as.photos.pop();
      if (!image) return undefined;
      const kind =
        dice() < 0.2
          ? { listingType: 'featured', ...(dice() < 0.5 ? { preferredFeaturedSlot: 3 } : {}) }
          : {};
      return { as, path: '/api/products', json: draftJson({ images: [image], ...kind }) };
    },
    promise: (_asked, { body }) => once(body.id),
    kept: (sql) => textsOf(sql`select id::text as text from products`),
    held: 'once',
  },
  decided('approve', 8, 'product.approve', ({ admin, pick, seen }) => {
    const id = pick(seen.pending);
    return asAdmin(admin, id, `products/${id}/approve`);
  }),
  decided('reject', 1, 'product.reject', ({ admin, pick, seen }) => {
    const id = pick(seen.pending);
    return asAdmin(admin, id, `products/${id}/reject`, { reason: 'Dark photos' });
  }),
  {
    // A product may be put into a slot several times, by one request each.
    name: 'assign',
    weight: 3,
    draft({ admin, pick, seen }) {
      const id = pick(seen.waiting);
      return asAdmin(admin, id, `queue/${id}/assign`, {});
    },
    promise: (_asked, { body }) => once(`${body.slotId} ${body.productId} ${body.endTime}`),
    kept: (sql) =>
      textsOf(
        sql`select subject_id || ' ' || (after ->> 'productId') || ' ' || (after ->> 'endTime') as text from audit_log where action = 'slot.assign'`,
      ),
    held: 'once',
  },
  audited('fill', 1, ['queue.process'], ({ admin }) => asAdmin(admin, admin, 'jobs/process-queue')),
  audited('move', 6, ['queue.move', 'queue.sync'], ({ admin, pick, seen }) => {
    const id = pick(seen.waiting);
    return asAdmin(admin, id, `queue/${id}/move`, { direction: pick(['up', 'down', 'top']) });
  }),
  audited('remove', 3, ['queue.remove'], ({ admin, pick, seen }) => {
    const id = pick(seen.waiting);
    return asAdmin(admin, id, `queue/${id}/remove`);
  }),
  {
    name: 'restore',
    weight: 2,
    draft({ admin, pick, seen }) {
      const id = pick(seen.removed);
      return asAdmin(admin, id, `queue/${id}/restore`);
    },
    // Restoring, removing and restoring again gives the same answer twice.
    promise: ({ path }) => once(path.split('/')[4]),
    kept: (sql) =>
      textsOf(
        sql`select distinct subject_id as text from audit_log where action = 'queue.restore'`,
      ),
    held: 'once',
  },
  audited('empty', 4, ['slot.remove'], ({ admin, pick, seen, dice }) => {
    const slot = pick(seen.slots);
    return asAdmin(admin, slot, `slots/${slot?.id}/remove`, {
      productId: slot?.productId,
      requeue: dice() < 0.4,
    });
  }),
  audited('pause', 3, ['slot.pause'], ({ admin, pick, seen }) =>
    onSlot(admin, pick(running(seen)), 'pause'),
  ),
  audited('resume', 3, ['slot.resume'], ({ admin, pick, seen }) =>
    onSlot(admin, pick(seen.slots.filter(({ paused }) => paused)), 'resume'),
  ),
  audited('suspend', 1, ['seller.suspend'], ({ admin, pick, seen: { sellers } }) => {
    const open = sellers.filter(({ suspended }) => !suspended);
    const seller = open.length > (2 / 3) * sellers.length ? pick(open) : undefined;
    return asAdmin(admin, seller, `sellers/${seller?.id}/suspend`, { reason: 'Fake products' });
  }),
  audited('unsuspend', 1, ['seller.unsuspend'], ({ admin, pick, seen: { sellers } }) => {
    const seller = pick(sellers.filter(({ suspended }) => suspended));
    return asAdmin(admin, seller, `sellers/${seller?.id}/unsuspend`);
  }),
  {
    name: 'contact',
    weight: 6,
    draft({ pick, seen }, as) {
      const slot = pick(running(seen));
      return (
        slot && { as, path: `/api/products/${slot.productId}/contact`, json: { consent: true } }
      );
    },
    promise: ({ path }, _answer, { userId }) => once(`${userId} ${path.split('/')[3]}`),
    // The request and the tap are counted together.
    kept: (sql) =>
      textsOf(sql`select substr(visitor, 9) || ' ' || product_id as text from contact_requests where visitor like 'account:%'
        intersect all select substr(visitor, 9) || ' ' || product_id from engagement_events where type = 'messageTap' and visitor like 'account:%'`),
    held: 'counted',
  },
  {
    name: 'message',
    weight: 4,
    draft({ pick, seen }, as) {
      const chat = 1_000_000 + as.n * 10_000 + Math.floor(as.said++ / messagesInAChat);
      const text = as.said % 2 ? `contact ${pick(running(seen))?.id ?? 7}` : 'yes';
      const update = telegramUpdate(chat, text);
      const { path, headers } = toTelegram(update);
      return { as, path, headers, json: update };
    },
    promise: ({ json }) => once((json as { update_id: number }).update_id),
    kept: (sql) => textsOf(sql`select split_part(update_id, ':', 2) as text from chat_updates`),
    held: 'once',
  },
];

const running = ({ slots }: Seen) => slots.filter(({ paused }) => !paused);
const onSlot = (admin: Asked['as'], slot: Seen['slots'][number] | undefined, act: string) =>
  asAdmin(admin, slot, `slots/${slot?.id}/${act}`, { productId: slot?.productId });

/** Reads what there is to act on now: a few random rows of each kind. */
export async function look(sql: Sql): Promise<Seen> {
  const some = async (rows: PromiseLike<readonly { id: string }[]>) =>
    (await rows).map(({ id }) => id);
  const [[all], pending, waiting, removed, slots, sellers] = await Promise.all([
    sql<
      { listed: number }[]
    >`select count(*)::int as listed from listings l join products p on p.id = l.product_id where p.status in ('approved', 'active') and ended_at is null`,
    some(
      sql<
        { id: string }[]
      >`select id from products where status = 'pending' and removed_at is null order by random() limit 30`,
    ),
    some(
      sql<{ id: string }[]>`select product_id as id from queue_items order by random() limit 30`,
    ),
    some(
      sql<
        { id: string }[]
      >`select id from products where removed_at is not null order by random() limit 10`,
    ),
    sql<
      Seen['slots']
    >`select id, product_id as "productId", paused_at is not null as paused from slots where product_id is not null`,
    sql<Seen['sellers']>`select id, suspended from sellers where user_id is not null`,
  ]);
  return {
    listed: all?.listed ?? 0,
    pending,
    waiting,
    removed,
    slots: [...slots],
    sellers: [...sellers],
  };
}
