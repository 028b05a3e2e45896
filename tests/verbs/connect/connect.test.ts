import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { publishPost } from '../../../api/connect/publish.ts';
import { feed, myPosts, readPost } from '../../../api/connect/reads.ts';
import { respond } from '../../../api/connect/respond.ts';
import { newPost } from '../../../api/connect/schema.ts';
import { setPostStatus } from '../../../api/connect/toggle.ts';
import { addUpdate } from '../../../api/connect/update.ts';
import { viewPost } from '../../../api/connect/view.ts';
import type { ErrorBody } from '../../../api/shared/errors.ts';
import { connect, schema, type Target } from '../../../db/client.ts';
import { dictionaries } from '../../../locales/index.ts';
import { type Person, signUpMember, signUpSeller, suspend } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { balanceOf, expectSoundCredits, grant } from '../../support/credits.ts';

const market = await testApp();
let owner: Person;
let other: Person;
beforeEach(async () => {
  await market.reset({ accounts: true });
  [owner, other] = await Promise.all([
    signUpMember(market, { name: 'Owner' }),
    signUpMember(market, { name: 'Other' }),
  ]);
  await Promise.all([grant(market, owner, 10), grant(market, other, 10)]);
  market.mails.clear();
});

const given: z.input<typeof newPost> = {
  title: 'A plumber for Saturday',
  description: 'My tap leaks.',
  category: 'repairs',
  contactWhatsapp: '699001000',
};
const publish = async (
  person = owner,
  changes: Partial<typeof given> = {},
  key: string = randomUUID(),
) => publishPost(await market.ctx(person), newPost.parse({ ...given, ...changes }), key);
const answer = async (person: Person, reference: string, key: string = randomUUID()) =>
  respond(await market.ctx(person), reference, key);
const update = async (
  person: Person,
  reference: string,
  message = 'Still looking',
  key: string = randomUUID(),
) => addUpdate(await market.ctx(person), reference, { type: 'progress', message }, key);
const toggle = async (person: Person, reference: string, status: 'active' | 'closed') =>
  setPostStatus(await market.ctx(person), reference, status);
const titles = async (query: Parameters<typeof feed>[1] = {}, person?: Person) =>
  (await feed(await market.ctx(person), query)).posts.map(({ title }) => title);
const refused = (code: string) => expect.objectContaining({ name: 'Refusal', code });
const rowOf = async (reference: string) =>
  (
    await market.db
      .select()
      .from(schema.connectPosts)
      .where(eq(schema.connectPosts.reference, reference))
  )[0];

describe('publishing', () => {
  test('costs two credits, and nothing is left behind without them', async () => {
    const { reference, balance } = await publish();
    expect([balance, await balanceOf(market, owner)]).toEqual([8, 8]);
    expect(reference).toMatch(/^[a-hjkmnp-z2-9]{8}$/);
    const poor = await signUpMember(market);
    await expect(publish(poor)).rejects.toEqual(refused('credits.neededForPost'));
    await grant(market, poor, 1);
    await expect(publish(poor)).rejects.toEqual(refused('credits.neededForPost'));
    expect(await titles()).toEqual(['A plumber for Saturday']);
    await expectSoundCredits(market);
  });

  test('asked for again with its key is the same post; with another request the key is refused', async () => {
    const key = randomUUID();
    const [first, again] = await Promise.all([publish(owner, {}, key), publish(owner, {}, key)]);
    expect(again).toEqual(first);
    expect(await balanceOf(market, owner)).toBe(8);
    await expect(publish(owner, { title: 'Another' }, key)).rejects.toEqual(
      refused('idempotencyMismatch'),
    );
    // Idempotency keys belong to one member.
    expect((await publish(other, {}, key)).reference).not.toBe(first.reference);
  });

  test('is for whoever has an account, a suspended seller too, and for no visitor', async () => {
    const seller = await signUpSeller(market);
    await suspend(market, seller);
    await grant(market, seller, 2);
    expect((await publish(seller)).balance).toBe(0);
    await expect(
      publishPost(await market.ctx(), newPost.parse(given), randomUUID()),
    ).rejects.toEqual(refused('signInRequired'));
  });

  test('is not possible behind the verb’s back: Postgres wants to see the spend', async () => {
    const row = {
      id: randomUUID(),
      reference: 'abcdefgh',
      userId: owner.userId,
      title: 't',
      description: 'd',
      category: 'other' as const,
      words: 't d',
    };
    const at = { createdAt: new Date(), updatedAt: new Date() };
    await expect(
      market.db.insert(schema.connectPosts).values({ ...row, ...at }),
    ).rejects.toMatchObject({ cause: { constraint_name: 'connect_paid' } });
  });
});

describe('responding', () => {
  test('costs one credit once, and opens WhatsApp with title and reference again for free', async () => {
    const { reference } = await publish();
    const first = await answer(other, reference);
    expect(first.paid).toBe(true);
    const link = new URL(first.link);
    expect(link.origin + link.pathname).toBe('https://wa.me/237699001000');
    expect(link.searchParams.get('text')).toContain('A plumber for Saturday');
    expect(link.searchParams.get('text')).toContain(reference);
    expect((await answer(other, reference)).paid).toBe(false);
    expect(await balanceOf(market, other)).toBe(9);
    // Members who paid still reach the owner of a closed post.
    await toggle(owner, reference, 'closed');
    expect((await answer(other, reference)).link).toBe(first.link);
    const told = (await market.mails.allTo(owner.email)).filter(
      ({ subject }) => subject === 'Somebody responded to “A plumber for Saturday”',
    );
    expect(told).toHaveLength(1);
    await expectSoundCredits(market);
  });

  test('of many taps at once is charged once', async () => {
    const { reference } = await publish();
    const paid = await Promise.all(Array.from({ length: 8 }, () => answer(other, reference)));
    expect(paid.filter((one) => one.paid)).toHaveLength(1);
    expect(await balanceOf(market, other)).toBe(9);
    await expectSoundCredits(market);
  });

  test('to a post without a number charges nothing and says so', async () => {
    const { reference } = await publish(owner, { contactWhatsapp: undefined });
    await expect(answer(other, reference)).rejects.toEqual(refused('connect.noNumber'));
    expect(await balanceOf(market, other)).toBe(10);
  });

  test('is refused to the owner, to a closed post, to nothing, and to who has no credit', async () => {
    const { reference } = await publish();
    await expect(answer(owner, reference)).rejects.toEqual(refused('connect.own'));
    await expect(answer(other, 'zzzzzzzz')).rejects.toEqual(refused('connect.notFound'));
    await expect(answer(await signUpMember(market), reference)).rejects.toEqual(
      refused('credits.neededForResponse'),
    );
    await toggle(owner, reference, 'closed');
    await expect(answer(other, reference)).rejects.toEqual(refused('connect.closed'));
    expect(await market.db.select().from(schema.connectResponses)).toEqual([]);
  });
});

describe('updates and the toggle', () => {
  test('an update costs two credits and brings the post to the top; closing and reopening does not', async () => {
    const { reference } = await publish();
    market.clock.advance({ minutes: 5 });
    await publish(other, { title: 'Newer' });
    expect(await titles()).toEqual(['Newer', 'A plumber for Saturday']);
    market.clock.advance({ minutes: 5 });
    await toggle(owner, reference, 'closed');
    expect(await titles()).toEqual(['Newer']);
    await toggle(owner, reference, 'active');
    expect(await titles()).toEqual(['Newer', 'A plumber for Saturday']);
    expect((await update(owner, reference)).balance).toBe(6);
    expect(await titles()).toEqual(['A plumber for Saturday', 'Newer']);
    await expectSoundCredits(market);
  });

  test('are the owner’s alone', async () => {
    const { reference } = await publish();
    await expect(update(other, reference)).rejects.toEqual(refused('connect.notOwner'));
    await expect(toggle(other, reference, 'closed')).rejects.toEqual(refused('connect.notOwner'));
    await expect(setPostStatus(await market.ctx(), reference, 'closed')).rejects.toEqual(
      refused('signInRequired'),
    );
    expect((await rowOf(reference))?.status).toBe('active');
  });

  test('a closed post takes no update and no credit, and is open to it again once it is active', async () => {
    const { reference } = await publish();
    await toggle(owner, reference, 'closed');
    const [closed, balance] = [await rowOf(reference), await balanceOf(market, owner)];
    expect(await readPost(await market.ctx(owner), reference)).toMatchObject({
      can: { update: false, toggle: true },
    });
    market.clock.advance({ minutes: 1 });
    await expect(update(owner, reference)).rejects.toEqual(refused('connect.updateClosed'));
    const path = `/api/connect/posts/${reference}/updates`;
    const asked = {
      as: owner,
      json: { type: 'note', message: 'Found?' },
      headers: { 'idempotency-key': randomUUID() },
    };
    const { status, body } = await market.call<ErrorBody>(path, { ...asked, language: 'fr' });
    expect([status, body.error.message]).toEqual([
      409,
      dictionaries.fr.errors.connect.updateClosed,
    ]);
    expect([await rowOf(reference), await balanceOf(market, owner)]).toEqual([closed, balance]);
    await toggle(owner, reference, 'active');
    expect((await update(owner, reference)).balance).toBe(balance - 2);
    await expectSoundCredits(market);
  });

  test('an update that cannot be paid leaves nothing and moves nothing', async () => {
    const poor = await signUpMember(market);
    await grant(market, poor, 3);
    const { reference } = await publish(poor);
    const before = await rowOf(reference);
    market.clock.advance({ minutes: 1 });
    await expect(update(poor, reference)).rejects.toEqual(refused('credits.neededForUpdate'));
    expect(await rowOf(reference)).toEqual(before);
    expect(await market.db.select().from(schema.connectUpdates)).toEqual([]);
  });
});

test('publishing costs twelve statements at most, and responding fifteen', async () => {
  const { target } = market.database;
  let statements = 0;
  // A target that is a URL cannot be counted.
  const counted: Target =
    typeof target === 'string' ? target : { ...target, debug: () => void statements++ };
  const { db, close } = connect(counted, { max: 2 });
  const costOf = async (act: () => Promise<unknown>) => {
    const before = statements;
    await act();
    return statements - before;
  };
  const as = async (person: Person) => ({ ...(await market.ctx(person)), db });
  let reference = '';
  const published = await costOf(async () => {
    ({ reference } = await publishPost(await as(owner), newPost.parse(given), randomUUID()));
  });
  const responded = await costOf(async () => respond(await as(other), reference, randomUUID()));
  await close();
  expect(published).toBeLessThanOrEqual(12);
  expect(responded).toBeLessThanOrEqual(15);
});

describe('what is read', () => {
  test('the feed has active posts by last update, a page at a time, each once', async () => {
    await grant(market, owner, 100);
    for (let n = 0; n < 45; n++) {
      // Some share a timestamp: the cursor must tell them apart.
      if (n % 3 === 0) market.clock.advance({ seconds: 1 });
      await publish(owner, { title: `Post ${n}` });
    }
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await feed(await market.ctx(), { after });
      seen.push(...page.posts.map(({ title }) => title));
      after = page.next ?? undefined;
    } while (after);
    expect(seen).toHaveLength(45);
    expect(new Set(seen).size).toBe(45);
    expect(seen.slice(0, 3).sort()).toEqual(['Post 42', 'Post 43', 'Post 44']);
    expect((await feed(await market.ctx(), { after: 'nonsense' })).posts).toHaveLength(20);
  });

  test('by category and by words, whatever the accents, capitals and forms, in English and French', async () => {
    await publish(owner, {
      title: 'Électricien qualifié',
      description: 'Réparations de câbles pour la maison',
      category: 'repairs',
      city: 'Bafoussam',
    });
    await publish(owner, {
      title: 'Moving houses',
      description: 'The van is there',
      category: 'transportation',
      tags: ['Déménagement'],
    });
    expect(await titles({ search: 'electricien' })).toEqual(['Électricien qualifié']);
    expect(await titles({ search: 'RÉPARATION câble' })).toEqual(['Électricien qualifié']);
    expect(await titles({ search: 'bafou' })).toEqual(['Électricien qualifié']);
    expect(await titles({ search: 'move house' })).toEqual(['Moving houses']);
    expect(await titles({ search: 'demenagements' })).toEqual(['Moving houses']);
    expect(await titles({ search: 'a house for the van' })).toEqual(['Moving houses']);
    expect(await titles({ search: 'pour' })).toEqual(['Électricien qualifié']);
    expect(await titles({ search: 'plombier' })).toEqual([]);
    expect(await titles({ search: "'; drop table connect_posts; --" })).toEqual([]);
    expect(await titles({ search: '&|!<->:* ' })).toHaveLength(2);
    expect(await titles({ category: 'transportation' })).toEqual(['Moving houses']);
    expect(await titles({ category: 'transportation', search: 'electricien' })).toEqual([]);
  });

  test('by reference, in any case, also where it is a word of another post; a closed or hidden one is not found', async () => {
    const { reference } = await publish(owner, { title: 'Named' });
    await publish(owner, { title: 'Unnamed' });
    for (const search of [reference, reference.toUpperCase(), ` ${reference}\n`])
      expect(await titles({ search })).toEqual(['Named']);
    expect(await titles({ category: 'repairs', search: reference })).toEqual(['Named']);
    expect(await titles({ category: 'cleaning', search: reference })).toEqual([]);
    expect(await titles({ search: reference.slice(0, 7) })).toEqual([]);
    const { status, body } = await market.call<{ posts: { title: string }[] }>(
      `/api/connect/posts?search=${reference.toUpperCase()}`,
    );
    expect([status, body.posts.map(({ title }) => title)]).toEqual([200, ['Named']]);
    market.clock.advance({ minutes: 1 });
    await publish(owner, {
      title: 'Quotes',
      description: `Like ${reference.toUpperCase()}, in Douala.`,
    });
    expect(await titles({ search: reference })).toEqual(['Quotes', 'Named']);
    await toggle(owner, reference, 'closed');
    expect(await titles({ search: reference })).toEqual(['Quotes']);
  });

  test('no answer has a number or an address, and only the owner reads the views and who responded', async () => {
    const { reference } = await publish();
    await answer(other, reference);
    await viewPost(await market.ctx(other), reference);
    const read = async (person?: Person) => readPost(await market.ctx(person), reference);
    await grant(market, owner, 42);
    for (let n = 0; n < 21; n++) await publish();
    const { next } = await feed(await market.ctx(other), {});
    expect(next).not.toBeNull();
    expect(
      (await myPosts(await market.ctx(other), { status: 'active', after: next ?? '' })).posts,
    ).toEqual([]);
    const all = JSON.stringify([
      await feed(await market.ctx(other), {}),
      await read(),
      await read(other),
      await read(owner),
      await myPosts(await market.ctx(owner), { status: 'active' }),
    ]);
    expect(all).not.toContain('699001000');
    expect(all).not.toContain(owner.email);
    expect(all).not.toContain(owner.userId);
    expect(await read(owner)).toMatchObject({
      mine: true,
      views: 1,
      responses: 1,
      responders: [{ name: 'Other' }],
      can: { respond: false, update: true, toggle: true },
    });
    expect(await read(other)).toMatchObject({
      mine: false,
      views: null,
      responses: 1,
      responders: [],
      responded: true,
      can: { respond: true, update: false, toggle: false },
    });
    expect(await read()).toMatchObject({
      mine: false,
      views: null,
      responses: 1,
      responders: [],
      hasNumber: true,
    });
  });

  test('a closed post keeps its words for its owner and who responded; the others learn that it is closed', async () => {
    const { reference } = await publish();
    await answer(other, reference);
    await toggle(owner, reference, 'closed');
    const stranger = await signUpMember(market);
    const read = async (person?: Person) => readPost(await market.ctx(person), reference);
    expect(await read(stranger)).toEqual({
      closed: true,
      reference,
      title: given.title,
      category: 'repairs',
      createdAt: expect.any(String),
      shareCard: expect.any(Object),
    });
    expect(await read(other)).toMatchObject({ closed: false, description: given.description });
    expect(await read(owner)).toMatchObject({ closed: false, status: 'closed' });
    expect((await myPosts(await market.ctx(owner), { status: 'closed' })).posts).toHaveLength(1);
    expect((await myPosts(await market.ctx(owner), { status: 'active' })).posts).toHaveLength(0);
    await expect(readPost(await market.ctx(), 'zzzzzzzz')).rejects.toEqual(
      refused('connect.notFound'),
    );
  });

  test('a look counts once in 30 minutes for each visitor, never for the owner, and moves nothing', async () => {
    const { reference } = await publish();
    const before = await rowOf(reference);
    const look = async (person?: Person, visitor = 'visitor-1') =>
      (
        await viewPost(
          await market.ctx(person, {
            client: { visitor, addressHash: 'a', userAgent: 'Mozilla/5.0' },
          }),
          reference,
        )
      ).counted;
    expect([
      await look(),
      await look(),
      await look(undefined, 'visitor-2'),
      await look(owner),
      await look(other),
    ]).toEqual([true, false, true, false, true]);
    market.clock.advance({ minutes: 29 });
    expect(await look()).toBe(false);
    market.clock.advance({ minutes: 1 });
    expect(await look()).toBe(true);
    expect(await readPost(await market.ctx(owner), reference)).toMatchObject({ views: 4 });
    expect(await rowOf(reference)).toEqual(before);
  });
});

test('a post goes with its owner’s account, the ledger stays', async () => {
  const { reference } = await publish();
  await answer(other, reference);
  await market.db.delete(schema.user).where(eq(schema.user.id, owner.userId));
  expect(await titles()).toEqual([]);
  await expectSoundCredits(market);
});
