import type { Testbed } from '../fuzz/testbed.ts';
import { payloads } from './payloads.ts';
import { browser, type Person } from './people.ts';

/** Columns with texts that people write and others read. */
const columns: readonly (readonly [table: string, column: string, as?: 'bilingual' | 'array'])[] = [
  ['products', 'name', 'bilingual'],
  ['products', 'description', 'bilingual'],
  ['products', 'business_name'],
  ['products', 'seller_name'],
  ['products', 'seller_location'],
  ['products', 'city'],
  ['products', 'region'],
  ['products', 'rejected_reason'],
  ['sellers', 'name'],
  ['sellers', 'location'],
  ['sellers', 'business_name'],
  ['sellers', 'suspended_reason'],
  ['"user"', 'name'],
  ['session', 'user_agent'],
  ['connect_posts', 'title'],
  ['connect_posts', 'description'],
  ['connect_posts', 'location'],
  ['connect_posts', 'city'],
  ['connect_posts', 'region'],
  ['connect_posts', 'tags', 'array'],
  ['connect_posts', 'hidden_reason'],
  ['connect_updates', 'message'],
  ['connect_reports', 'note'],
  ['connect_reports', 'resolution'],
  ['reports', 'note'],
  ['reports', 'resolution'],
  ['credit_purchases', 'payment_reference'],
  ['credit_purchases', 'closed_reason'],
  ['listings', 'fee_reference'],
  ['pending_sign_ups', 'name'],
  ['pending_sign_ups', 'location'],
  ['chat_channels', 'failure'],
  ['audit_log', 'actor_name'],
];

type Planting = { table: string; column: string; value: string; texts: string[]; where?: string };
async function plantIn(
  { sql }: Testbed,
  { table, column, value, texts, where = 'true' }: Planting,
): Promise<number> {
  const { count } = await sql.begin(async (tx) => {
    // Disables the triggers that guard chains and histories, as a database owner can.
    await tx.unsafe('set local session_replication_role = replica');
    return tx.unsafe(
      `with p as (select text, n from unnest($1::text[]) with ordinality as p(text, n)),
         r as (select ctid as id, row_number() over () as n from ${table} where ${where})
       update ${table} t set ${column} = ${value} from r, p where t.ctid = r.id and p.n = 1 + (r.n - 1) % ${texts.length}`,
      [texts],
    );
  });
  return count;
}

/**
 * Writes payloads into every such column of every row, bypassing schemas and cleaning: escaping on
 * output must not depend on them. Returns the columns that hold none.
 */
async function plantInDatabase(testbed: Testbed): Promise<{ rows: number; refused: string[] }> {
  const texts = Object.values(payloads);
  const refused: string[] = [];
  let rows = 0;
  for (const [table, column, as] of columns) {
    const value =
      as === 'bilingual'
        ? "jsonb_build_object('en', p.text, 'fr', p.text)"
        : as === 'array'
          ? 'array[p.text]'
          : 'p.text';
    // Reasons are allowed only on rows that had the act.
    const planted = await plantIn(testbed, { table, column, value, texts }).catch(() =>
      plantIn(testbed, { table, column, value, texts, where: `${column} is not null` }),
    );
    if (planted === 0) refused.push(`${table}.${column}`);
    rows += planted;
  }
  return { rows, refused };
}

/** A signed-in client for requests beside the browser. */
function personOf(testbed: Testbed, who: 'visitor' | 'member' | 'seller' | 'admin'): Person['ask'] {
  const address = `192.0.2.${200 + Math.floor(Math.random() * 50)}`;
  const person = browser({ url: `http://127.0.0.1:${testbed.port}` }, address);
  return (path, init = {}) =>
    person.ask(path, {
      ...init,
      headers: { cookie: testbed.cookie(who), origin: 'http://market.test', ...init.headers },
    });
}

/** Admins' acts with a reason: takedowns, answered reports, a suspension, a waiting sign-up. */
async function actOn(testbed: Testbed): Promise<void> {
  const [admin, visitor] = [personOf(testbed, 'admin'), personOf(testbed, 'visitor')];
  const { products, posts, sellers, purchases } = await testbed.refresh();
  const reason = 'A reason that will be replaced';
  for (const [n, reference] of posts.slice(0, 4).entries())
    await admin(`/api/admin/connect/posts/${reference}/${n % 2 ? 'resolve' : 'hide'}`, {
      json: n % 2 ? { resolution: reason } : { reason },
    });
  for (const id of products)
    await admin(`/api/admin/reports/${id}/resolve`, { json: { resolution: reason } });
  await admin(`/api/admin/credits/purchases/${purchases[0]}/close`, {
    json: { outcome: 'failed', reason },
  });
  await admin(`/api/admin/sellers/${sellers.at(-1)}/suspend`, { json: { reason } });
  const waiting = {
    email: 'waiting@fuzz.example.test',
    password: 'a good password',
    name: 'Waiting',
    selling: true,
    agreed: '0',
    whatsapp: '+237699012345',
    location: 'Douala',
  };
  await visitor('/api/auth/sign-up', { json: waiting });
}

/**
 * Plants the payloads through the API, which cleans them, then in the database, then acts through
 * the API once more, so that mails and the audit log quote them. Returns what to look at.
 */
export async function plant(testbed: Testbed): Promise<{
  rows: number;
  refused: string[];
  slots: number[];
  posts: string[];
  products: string[];
}> {
  const [admin, seller, member, visitor] = [
    personOf(testbed, 'admin'),
    personOf(testbed, 'seller'),
    personOf(testbed, 'member'),
    personOf(testbed, 'visitor'),
  ];
  const { products, posts } = await testbed.refresh();
  const texts = Object.values(payloads);
  const text = (n: number) => texts[n % texts.length] ?? '';
  for (const id of products.slice(3))
    await admin(`/api/admin/products/${id}/approve`, { json: {} });
  await admin('/api/admin/jobs/process-queue', { method: 'POST' });
  for (const [n, id] of products.entries())
    await visitor(`/api/products/${id}/report`, { json: { reason: 'other', note: text(n) } });
  for (const [n, reference] of posts.entries()) {
    await visitor(`/api/connect/posts/${reference}/report`, {
      json: { reason: 'other', note: text(n) },
    });
    for (const owner of [seller, member, admin])
      await owner(`/api/connect/posts/${reference}/updates`, {
        json: { message: `So far ${text(n)}` },
      });
  }
  await actOn(testbed);
  const planted = await plantInDatabase(testbed);
  // From here on mails and records quote the payloads.
  for (const [n, reference] of posts.entries())
    await (n % 2 ? member : seller)(`/api/connect/posts/${reference}/responses`, {
      method: 'POST',
    });
  for (const [n, id] of products.slice(0, 3).entries())
    await admin(`/api/admin/products/${id}/reject`, { json: { reason: `Because ${text(n)}` } });
  const { slots } = (
    await visitor<{ slots: { slot_id: number; product_id: string | null }[] }>('/api/slots')
  ).body;
  return {
    ...planted,
    slots: slots.filter(({ product_id }) => product_id !== null).map(({ slot_id }) => slot_id),
    posts,
    products,
  };
}
