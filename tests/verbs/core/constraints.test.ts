import { beforeEach, describe, expect, test } from 'vitest';
import { premiumCount, slotCount } from '../../../api/shared/slots.ts';
import { isTransient, postgresCode, schema, violatedConstraint } from '../../../db/client.ts';
import { freshDatabase, resetMarket } from '../../support/database.ts';
import { endedRow, rawRows, refusal, rowTime, started } from '../../support/rows.ts';

/** Constraints and triggers that hold whatever the code does (db/migrations). */
const database = await freshDatabase();
const { sql, db } = database;
const { begin, listing, open, placed, product, queue, queued } = rawRows(sql);
beforeEach(() => resetMarket(database, { accounts: true }));
const restrict = '23001';

describe('the slots', () => {
  test('have every number once, are empty at first, and each has its counters', async () => {
    const rows = await sql<
      { id: number; active: boolean }[]
    >`select id, active from slots order by id`;
    expect(rows.map((row) => row.id)).toEqual(Array.from({ length: slotCount }, (_, n) => n + 1));
    expect(rows.some((row) => row.active)).toBe(false);
    expect((await sql`select slot_id from slot_engagement`).length).toBe(slotCount);
  });

  test('cannot become more', async () => {
    expect(await refusal(sql`insert into slots (id) values (${slotCount + 1})`)).toBe(
      'slots_numbered',
    );
    expect(await refusal(sql`insert into slots (id) values (0)`)).toBe('slots_numbered');
    expect(await refusal(sql`insert into slots (id) values (${slotCount})`)).toBe('slots_pkey');
  });

  test('cannot become fewer', async () => {
    expect(await refusal(sql`delete from slots where id = ${slotCount}`)).toBe(restrict);
    expect(await refusal(sql`delete from slots`)).toBe(restrict);
    expect(await refusal(sql`truncate slots cascade`)).toBe(restrict);
    expect((await sql`select id from slots`).length).toBe(slotCount);
  });

  test('keep their numbers', async () => {
    expect(await refusal(sql`update slots set id = ${slotCount + 1} where id = ${slotCount}`)).toBe(
      restrict,
    );
    expect(await refusal(sql`update slots set id = 3 where id = 54`)).toBe(restrict);
  });

  test('hold one product each, and a product is in one slot at most', async () => {
    const id = await placed(7);
    expect(await refusal(open(8, id))).toBe('slots_product_id_unique');
  });

  test('are active with product, start and end, or empty with none of them', async () => {
    const id = await placed(7);
    expect(await refusal(sql`update slots set active = true where id = 8`)).toMatch(
      /^slots_active_has_/,
    );
    expect(
      await refusal(
        sql`update slots set active = true, start_time = now(), end_time = now() + interval '1 day' where id = 8`,
      ),
    ).toBe('slots_active_has_product');
    expect(await refusal(sql`update slots set start_time = null where id = 7`)).toBe(
      'slots_active_has_start',
    );
    expect(await refusal(sql`update slots set end_time = null where id = 7`)).toBe(
      'slots_active_has_end',
    );
    expect(await refusal(sql`update slots set active = false where id = 7`)).toMatch(
      /^slots_active_has_/,
    );
    expect(await refusal(sql`update slots set product_id = null where id = 7`)).toBe(
      'slots_active_has_product',
    );
    expect(await refusal(sql`delete from products where id = ${id}`)).toMatch(/slots_product_id/);
  });

  test('end after they start', async () => {
    await placed(7);
    expect(await refusal(sql`update slots set end_time = start_time where id = 7`)).toBe(
      'slots_ends_after_start',
    );
  });

  test('are paused by somebody and only while active; what is left is never negative', async () => {
    await placed(7);
    expect(await refusal(sql`update slots set paused_at = now() where id = 7`)).toBe(
      'slots_paused_whole',
    );
    expect(await refusal(sql`update slots set paused_by = 'admin' where id = 7`)).toBe(
      'slots_paused_whole',
    );
    expect(await refusal(sql`update slots set remaining_duration = 5 where id = 7`)).toBe(
      'slots_paused_whole',
    );
    expect(
      await refusal(sql`update slots set paused_at = now(), paused_by = 'admin' where id = 8`),
    ).toBe('slots_paused_whole');
    expect(
      await refusal(
        sql`update slots set paused_at = now(), paused_by = 'admin', remaining_duration = -1 where id = 7`,
      ),
    ).toBe('slots_remaining_not_negative');
    expect(
      await refusal(
        sql`update slots set paused_at = now(), paused_by = 'admin', remaining_duration = 60 where id = 7`,
      ),
    ).toBe('kept');
  });
});

describe('the queue', () => {
  test('has one row a product', async () => {
    const id = await queued();
    expect(await refusal(queue(id, 2048))).toBe('queue_items_product_id_unique');
  });

  test('has no two at one place of a lane', async () => {
    await queued(1024);
    expect(await refusal(queued(1024))).toBe('queue_order');
  });

  test('knows two lanes, two priorities and two bands, and priority 1 only in the first', async () => {
    const id = await product();
    expect(await refusal(queue(id, 1, sql, { queue_name: 'queue:other' }))).toBe(
      'queue_name_known',
    );
    expect(await refusal(queue(id, 1, sql, { priority: 2, band: 0 }))).toBe('queue_priority_known');
    expect(await refusal(queue(id, 1, sql, { priority: 1, band: 1 }))).toBe('queue_band_known');
    expect(await refusal(queue(id, 1, sql, { band: 2 }))).toBe('queue_band_known');
  });
});

describe('a listing', () => {
  const later = () => new Date(rowTime().getTime() + 3_600_000);
  const bad: [string, () => Record<string, unknown>, string][] = [
    ['number zero', () => ({ number: 0 }), 'listings_numbered'],
    ['slot without a start', () => ({ slot_id: 5 }), 'listings_started_whole'],
    ['start without a duration', () => ({ started_at: later() }), 'listings_started_whole'],
    ['duration without a start', () => ({ duration_seconds: 60 }), 'listings_started_whole'],
    [
      'duration of zero',
      () => ({ ...started(5), duration_seconds: 0 }),
      'listings_duration_positive',
    ],
    [
      'a slot too many',
      () => ({ ...started(slotCount + 1), ...endedRow() }),
      'listings_slot_id_slots_id_fk',
    ],
    ['end without a reason', () => ({ ended_at: later() }), 'listings_ended_whole'],
    ['reason without an end', () => ({ end_reason: 'time' }), 'listings_ended_whole'],
    [
      'unknown reason',
      () => ({ ...endedRow(), end_reason: 'boredom' }),
      'listings_end_reason_known',
    ],
    ['fee without a state', () => ({ fee: 1000 }), 'listings_fee_whole'],
    ['state of a fee without the fee', () => ({ fee_state: 'due' }), 'listings_fee_whole'],
    ['negative fee', () => ({ fee: -1, fee_state: 'due' }), 'listings_fee_whole'],
    ['reference of no fee', () => ({ fee_reference: 'M54-AAAA-BBBB' }), 'listings_fee_whole'],
    [
      'unknown state of a fee',
      () => ({ fee: 1, fee_state: 'lent', fee_marked_at: later() }),
      'listings_fee_state_known',
    ],
    ['paid fee that nobody marked', () => ({ fee: 1, fee_state: 'paid' }), 'listings_fee_marked'],
    [
      'due fee that was marked',
      () => ({ fee: 1, fee_state: 'due', fee_marked_at: later() }),
      'listings_fee_marked',
    ],
  ];
  for (const [what, columns, constraint] of bad)
    test(`has no ${what}`, async () =>
      expect(
        await refusal(begin(async (tx) => listing(await product({}, tx), columns(), tx))),
      ).toBe(constraint));

  test('is open once a product, and once a slot', async () => {
    const id = await placed(7);
    expect(await refusal(listing(id, { number: 2 }))).toBe('listings_open_idx');
    expect(await refusal(listing(id, { ...endedRow(), number: 1 }))).toBe('listings_number_idx');
    expect(await refusal(listing(await product(), started(7)))).toBe('listings_slot_idx');
  });

  test('has a fee reference of its own', async () => {
    const fee = { fee: 1000, fee_state: 'due', fee_reference: 'M54-AAAA-BBBB' };
    await listing(await product(), fee);
    expect(await refusal(listing(await product(), fee))).toBe('listings_fee_reference_unique');
  });

  test('goes with its product', async () => {
    const id = await product();
    await listing(id);
    await sql`delete from products where id = ${id}`;
    expect(await sql`select 1 from listings`).toHaveLength(0);
  });
});

describe('a product', () => {
  const bad: [string, Record<string, unknown>, string][] = [
    ['status', { status: 'sold' }, 'products_status_known'],
    ['listing type', { listing_type: 'gold' }, 'products_listing_type_known'],
    ['negative price', { price: -1 }, 'products_price_range'],
    ['price over ten million', { price: 10_000_001 }, 'products_price_range'],
    ['duration of zero', { duration_seconds: 0 }, 'products_duration_positive'],
    [
      'preferred standard slot',
      { preferred_featured_slot: premiumCount + 1, listing_type: 'featured' },
      'products_preferred_slot',
    ],
    [
      'preferred slot 0',
      { preferred_featured_slot: 0, listing_type: 'featured' },
      'products_preferred_slot',
    ],
    [
      'preferred slot of a standard listing',
      { preferred_featured_slot: 3 },
      'products_preferred_slot',
    ],
    ['number without a plus', { seller_whatsapp: '237699001234' }, 'products_whatsapp_e164'],
    ['number with spaces', { seller_whatsapp: '+237 699001234' }, 'products_whatsapp_e164'],
    ['number that is too long', { seller_whatsapp: '+1234567890123456' }, 'products_whatsapp_e164'],
    ['number that begins with zero', { seller_whatsapp: '+0699001234' }, 'products_whatsapp_e164'],
    ['slug of upper case letters', { slug: 'Chair' }, 'products_slug_shape'],
    ['slug with two hyphens', { slug: 'a--b' }, 'products_slug_shape'],
    ['slug with a slash', { slug: 'a/b' }, 'products_slug_shape'],
    ['empty slug', { slug: '' }, 'products_slug_shape'],
    ['slug "details", which is a page', { slug: 'details' }, 'products_slug_shape'],
    ['approval without a time', { status: 'approved' }, 'products_approved_stamped'],
    ['time of approval while pending', { approved_at: rowTime() }, 'products_approved_stamped'],
    ['rejection without a time', { status: 'rejected' }, 'products_rejected_stamped'],
    ['time of rejection while pending', { rejected_at: rowTime() }, 'products_rejected_stamped'],
    ['list of six images', { images: JSON.stringify([1, 2, 3, 4, 5, 6]) }, 'products_images_list'],
    ['name that is a number', { name: '5' }, 'products_name_shape'],
    ['description that is a list', { description: '[]' }, 'products_description_shape'],
  ];
  for (const [what, columns, constraint] of bad) {
    test(`has no ${what}`, async () => {
      // JSON is passed as text: the driver would encode it twice.
      const { images, name, description, ...rest } = columns;
      const json = Object.entries({ images, name, description }).filter(
        ([, value]) => value !== undefined,
      );
      const work = begin(async (tx) => {
        const id = await product(rest, tx);
        for (const [column, value] of json)
          await tx.unsafe(`update products set ${column} = '${value}'::jsonb where id = '${id}'`);
      });
      expect(await refusal(work)).toBe(constraint);
    });
  }

  test('has a slug of its own', async () => {
    await product({ slug: 'chair' });
    expect(await refusal(product({ slug: 'chair' }))).toBe('products_slug_unique');
  });

  test('may lack everything that only the review asks for (product R12)', async () => {
    expect(await refusal(product())).toBe('kept');
    expect(
      await refusal(
        begin((tx) =>
          tx.unsafe(
            `insert into products (slug, name, description) values ('plain', '"a plain name"', '{"en": "x"}')`,
          ),
        ),
      ),
    ).toBe('kept');
  });
});

describe('a seller', () => {
  const insert = (columns: Record<string, unknown>) =>
    sql`insert into sellers ${sql({ name: 'Ngono', email: 'n@example.test', ...columns } as never)}`;
  test('is suspended with reason and time, or neither', async () => {
    expect(await refusal(insert({ suspended: true }))).toBe('sellers_suspended_whole');
    expect(await refusal(insert({ suspended: true, suspended_at: rowTime() }))).toBe(
      'sellers_suspended_whole',
    );
    expect(await refusal(insert({ suspended_reason: 'x' }))).toBe('sellers_suspended_whole');
    expect(
      await refusal(insert({ suspended: true, suspended_at: rowTime(), suspended_reason: 'x' })),
    ).toBe('kept');
  });
  test('is verified by somebody at some time, or not at all', async () => {
    expect(await refusal(insert({ verified: true }))).toBe('sellers_verified_whole');
    expect(await refusal(insert({ verified_by: 'admin' }))).toBe('sellers_verified_whole');
    const whole = {
      verified: true,
      verified_by: 'chat',
      verified_at: rowTime(),
      verified_whatsapp: '+237699001234',
    };
    expect(await refusal(insert({ ...whole, verified_whatsapp: null }))).toBe(
      'sellers_verified_whole',
    );
    expect(await refusal(insert({ ...whole, verified_whatsapp: '699001234' }))).toBe(
      'sellers_verified_whatsapp_e164',
    );
    expect(await refusal(insert(whole))).toBe('kept');
    expect(await refusal(insert(whole))).toBe('sellers_verified_whatsapp_idx');
  });
  test('has a number in E.164 or none', async () => {
    expect(await refusal(insert({ whatsapp: '699001234' }))).toBe('sellers_whatsapp_e164');
    expect(await refusal(insert({ whatsapp: null }))).toBe('kept');
  });
  test('cannot be deleted while products are left', async () => {
    const [seller] =
      await sql`insert into sellers (name, email) values ('Ngono', 'n@example.test') returning id`;
    await product({ seller_id: seller?.id });
    expect(await refusal(sql`delete from sellers where id = ${seller?.id}`)).toMatch(
      /products_seller_id/,
    );
  });
});

test('the audit log is only ever added to', async () => {
  await sql`insert into audit_log (at, actor_kind, action, subject_kind, request_id) values (now(), 'admin', 'product.approve', 'product', 'r')`;
  expect(await refusal(sql`update audit_log set action = 'nothing'`)).toBe(restrict);
  expect(await refusal(sql`delete from audit_log`)).toBe(restrict);
  expect(await refusal(sql`truncate audit_log`)).toBe(restrict);
  expect(await refusal(sql`update audit_log set action = 'nothing' where false`)).toBe(restrict);
  expect((await sql`select action from audit_log`).map((row) => row.action)).toEqual([
    'product.approve',
  ]);
});

test('what names somebody who is gone can be emptied in the audit log, in a transaction that says so, and nothing else be written', async () => {
  const before = { name: 'Ngono', count: 3, barred: ['n@example.test', 7], deep: { reason: 'x' } };
  const line = {
    at: new Date(0),
    actor_kind: 'admin',
    actor_name: 'Ada',
    action: 'seller.delete',
    subject_kind: 'user',
    subject_id: 'n@example.test',
    request_id: 'r',
  };
  await sql`insert into audit_log ${sql({ ...line, subject_name: '"Ngono"', before } as never)}`;
  const forget = (change: string) =>
    refusal(
      sql.begin(async (tx) => {
        await tx`select set_config('marche54.forgetting', 'on', true)`;
        await tx.unsafe(`update audit_log set ${change} where subject_id = 'n@example.test'`);
      }),
    );
  for (const change of [
    ...[
      "action = 'nothing'",
      'at = now()',
      "actor_id = 'x'",
      "actor_name = 'Somebody else'",
      'subject_name = \'"x"\'',
      "subject_id = 'x'",
      "via = 'job'",
    ],
    ...[
      'before = null',
      "before = before - 'count'",
      `before = before || '{"count": 4}'`,
      `before = before || '{"name": "Else"}'`,
      "after = '{}'",
    ],
    ...[
      `before = before || '{"barred": ["[deleted]"]}'`,
      `before = before || '{"more": "[deleted]"}'`,
      `before = before || '{"count": "[deleted]"}'`,
    ],
  ])
    expect(await forget(change), change).toBe(restrict);
  expect(await refusal(sql`delete from audit_log`)).toBe(restrict);
  const emptied = {
    name: '[deleted]',
    count: 3,
    barred: ['[deleted]', 7],
    deep: { reason: '[deleted]' },
  };
  expect(
    await forget(`actor_name = null, subject_name = null, before = '${JSON.stringify(emptied)}'`),
  ).toBe('kept');
  expect(await forget('subject_id = null')).toBe('kept');
  // The permission ends with the transaction.
  expect(await refusal(sql`update audit_log set actor_name = null`)).toBe(restrict);
  expect(await sql`select before from audit_log where action = 'seller.delete'`).toEqual([
    { before: emptied },
  ]);
});

test('other lists of known values are closed too', async () => {
  const id = await product();
  expect(
    await refusal(
      sql`insert into engagement_events (type, slot_id, product_id, visitor, occurred_at) values ('like', 1, ${id}, 'v', now())`,
    ),
  ).toBe('engagement_type_known');
  expect(
    await refusal(
      sql`insert into health_checks (checked_at, name, status) values (now(), 'database', 'fine')`,
    ),
  ).toBe('health_status_known');
  expect(
    await refusal(sql`insert into alarms (kind, since, figures) values ('nothing', now(), '{}')`),
  ).toBe('alarms_kind_known');
  const unbegun = sql`insert into alarms (kind, since, over_at, figures) values ('diskFull', now(), now(), '{}')`;
  expect(await refusal(unbegun)).toBe('alarms_over_began');
  expect(
    await refusal(
      sql`insert into reports (product_id, reason, visitor, resolved_at) values (${id}, 'fraud', 'v', now())`,
    ),
  ).toBe('reports_resolved_whole');
  const mail = {
    channel: 'email',
    recipient: 'x@example.test',
    language: 'en',
    kind: 'x',
    subject: 'x',
    body_text: 'x',
    body_html: 'x',
    next_attempt_at: rowTime(),
    created_at: rowTime(),
    state: 'sent',
  };
  expect(await refusal(sql`insert into outbox ${sql(mail as never)}`)).toBe('outbox_sent_stamped');
});

describe('a refusal of the database', () => {
  test('is recognised through drizzle’s wrapping, by code and by constraint', async () => {
    const error = await db
      .insert(schema.products)
      .values({ slug: 'details' })
      .then(
        () => undefined,
        (reason) => reason,
      );
    expect(violatedConstraint(error)).toBe('products_slug_shape');
    expect(postgresCode(error)).toBe('23514');
    expect(isTransient(error)).toBe(false);
  });
});

test('news of a slot goes out when what pages show has changed, and not for counters', async () => {
  const news: string[] = [];
  const listener = await sql.listen('market', (payload) => news.push(payload));
  const id = await placed(7);
  await sql`update slot_engagement set views = 5 where slot_id = 7`;
  await sql`update slots set updated_at = now() where id = 7`;
  await sql`update products set updated_at = now() where id = ${id}`;
  await sql`update products set price = 500 where id = ${id}`;
  await sql`select pg_notify('market', 'end')`;
  await expect.poll(() => news.at(-1)).toBe('end');
  expect(news).toEqual(['slot:7', `product:${id}`, 'end']);
  await listener.unlisten();
});
