import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { hidePost } from '../../api/connect/hide.ts';
import { publishPost } from '../../api/connect/publish.ts';
import { newPost } from '../../api/connect/schema.ts';
import { postCardOf } from '../../api/connect/shareCard.ts';
import { setPostStatus } from '../../api/connect/toggle.ts';
import { schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import { actors, type Person, signUpMember } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { grant } from '../support/credits.ts';
import { plain } from '../support/text.ts';

const market = await testApp();
let owner: Person;
let admin: Person;
beforeEach(async () => {
  await market.reset({ accounts: true });
  ({ admin } = await actors(market));
  owner = await signUpMember(market, { name: 'Ownername Nobody' });
  await grant(market, owner, 20);
});

const given: z.input<typeof newPost> = {
  title: 'A plumber for Saturday',
  description: 'My tap leaks.',
  category: 'repairs',
  city: 'Douala',
  region: 'Littoral',
  budgetMin: 5000,
  budgetMax: 15_000.4,
  contactWhatsapp: '699001000',
};
const publish = async (changes: Partial<typeof given> = {}) =>
  (
    await publishPost(
      await market.ctx(owner),
      newPost.parse({ ...given, ...changes }),
      randomUUID(),
    )
  ).reference;
const close = async (reference: string) =>
  setPostStatus(await market.ctx(owner), reference, 'closed');
const hide = async (reference: string) =>
  hidePost(await market.ctx(admin), reference, { reason: 'No service', refund: false });
const rowOf = async (reference: string) => {
  const [row] = await market.db
    .select()
    .from(schema.connectPosts)
    .where(eq(schema.connectPosts.reference, reference));
  if (!row) throw new Error('There is no such post');
  return row;
};

describe('the share card of a post', () => {
  const addressOf = async (reference: string, language: Language = 'en') => {
    const { body } = await market.call<{ shareCard: Record<Language, string> }>(
      `/api/connect/posts/${reference}`,
    );
    return body.shareCard[language].replace('http://market.test', '');
  };

  test('is a JPEG of 1200 × 630 under 300 kB that never changes under its address, one a language', async () => {
    const reference = await publish();
    const response = await market.request(await addressOf(reference));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/jpeg');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({
      format: 'jpeg',
      width: 1200,
      height: 630,
    });
    expect(bytes.byteLength).toBeLessThan(300_000);
    const french = Buffer.from(
      await (await market.request(await addressOf(reference, 'fr'))).arrayBuffer(),
    );
    expect(french.equals(bytes)).toBe(false);
  });

  test('names the region in its language, whatever the language of the post', async () => {
    const reference = await publish({ city: 'Bamenda', region: 'NW' });
    const row = await rowOf(reference);
    expect(row.regionCode).toBe('north-west');
    expect(postCardOf(row, 'fr').place).toBe('Bamenda, Nord-Ouest');
    expect(postCardOf(row, 'en').place).toBe('Bamenda, North West');
  });

  test('says category, title, budget and place in its language, and nobody’s name or number', async () => {
    const row = await rowOf(await publish());
    const english = postCardOf(row, 'en');
    expect(plain(JSON.stringify(english))).toBe(
      JSON.stringify({
        market: 'Marché 54',
        category: 'repairs',
        label: 'Repairs',
        title: 'A plumber for Saturday',
        budget: 'XAF 5,000 – XAF 15,000',
        place: 'Douala, Littoral',
        foot: `Services board · ${row.reference}`,
        stamp: null,
      }),
    );
    expect(plain(postCardOf(row, 'fr').budget ?? '')).toBe('5 000 XAF – 15 000 XAF');
    expect(postCardOf({ ...row, budgetMin: null }, 'en').budget).toMatch(/^up to XAF\s15,000$/);
    expect(postCardOf({ ...row, budgetMax: null }, 'en').budget).toMatch(/^from XAF\s5,000$/);
    expect(postCardOf({ ...row, budgetMin: '0.00', budgetMax: null }, 'en').budget).toBeNull();
  });

  test('of a closed post says so, and no more than its page does', async () => {
    const reference = await publish();
    const before = await addressOf(reference);
    await close(reference);
    expect(postCardOf(await rowOf(reference), 'fr')).toMatchObject({
      stamp: 'FERMÉE',
      budget: null,
      place: null,
    });
    const after = await addressOf(reference);
    expect(after).not.toBe(before);
    expect((await market.request(before)).headers.get('location')).toBe(after);
  });

  test('is not there for a post that was taken down or never was, and nothing is drawn for a made-up version', async () => {
    const reference = await publish();
    const address = await addressOf(reference);
    for (const made of ['-000000000000', '']) {
      const response = await market.request(`/media/cards/post-${reference}-en${made}.jpg`);
      expect([response.status, response.headers.get('location')]).toEqual([302, address]);
    }
    await hide(reference);
    for (const gone of [
      address,
      '/media/cards/post-zzzzzzzz-en.jpg',
      `/media/cards/post-${reference}-de.jpg`,
      '/media/cards/post-illegal0-en.jpg',
    ])
      expect((await market.request(gone)).status, gone).toBe(404);
  });
});

test('the sitemap names open posts, the newest first, and no closed or hidden ones', async () => {
  const references = [];
  for (const title of ['One', 'Two', 'Three', 'Four']) {
    market.clock.advance({ minutes: 1 });
    references.push(await publish({ title }));
  }
  const [one, two, three, four] = references as [string, string, string, string];
  await close(two);
  await hide(three);
  const text = await (await market.request('/sitemap.xml')).text();
  expect(
    [...text.matchAll(/<loc>[^<]*\/en\/connect\/(\w+)<\/loc>/g)].map(([, reference]) => reference),
  ).toEqual([four, one]);
});

test('a crawler’s look at a post counts as nothing', async () => {
  const reference = await publish();
  const look = (agent: string) =>
    market.request(`/api/connect/posts/${reference}/views`, {
      method: 'POST',
      headers: { 'user-agent': agent },
    });
  expect(await (await look('Mozilla/5.0 (compatible; Googlebot/2.1)')).json()).toEqual({
    counted: false,
  });
  expect(await (await look('Mozilla/5.0 (Linux; Android 14)')).json()).toEqual({ counted: true });
});

describe('the report of a post without a script', () => {
  const send = (reference: string, form: Record<string, string>, caller = { jar: owner.jar }) =>
    market.request(`/connect/${reference}/report?language=fr`, { form, as: caller });
  const outcome = async (...asked: Parameters<typeof send>) => {
    const response = await send(...asked);
    return [response.status, response.headers.get('location')];
  };

  test('is kept, and leads back to the page with what came of it', async () => {
    const reference = await publish();
    const back = (code: string) => [303, `/fr/connect/${reference}?report=${code}#report`];
    expect(await outcome(reference, { reason: 'number', note: 'It is in the text.' })).toEqual(
      back('sent'),
    );
    expect(await outcome(reference, { reason: 'number' })).toEqual(back('alreadyReported'));
    expect(await outcome(reference, { reason: '' })).toEqual(back('validation'));
    expect(await outcome(reference, { reason: 'other', note: 'x'.repeat(301) })).toEqual(
      back('validation'),
    );
    expect(await market.db.select().from(schema.connectReports)).toMatchObject([
      { reason: 'number', note: 'It is in the text.' },
    ]);
    const repeated = await market.request(`/connect/${reference}/report`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'reason=fraud&reason=other&__proto__=x&note[]=y',
    });
    expect(repeated.status).toBe(400);
  });

  test('of a post that is not there says so, and of no reference at all is refused', async () => {
    const reference = await publish();
    await hide(reference);
    expect(await outcome(reference, { reason: 'fraud' })).toEqual([
      303,
      `/fr/connect/${reference}?report=notFound#report`,
    ]);
    expect((await send('x', { reason: 'fraud' })).status).toBe(400);
    expect(await market.db.select().from(schema.connectReports)).toEqual([]);
  });
});

test('a search has at most two hundred letters', async () => {
  const statusOf = async (letters: number) =>
    (await market.call(`/api/connect/posts?search=${'x'.repeat(letters)}`)).status;
  expect([await statusOf(200), await statusOf(201)]).toEqual([200, 400]);
});

test('a place in the feed that nobody was given begins at the first post', async () => {
  await publish();
  const id = '00000000-0000-4000-8000-000000000000';
  for (const after of [
    `9999999999999999.${id}`,
    `999999999999999.${id}`,
    `1.${'-'.repeat(36)}`,
    `1.${'0'.repeat(36)}`,
    `-1.${id}`,
    'x',
    '',
  ]) {
    const { status, body } = await market.call<{ posts: unknown[] }>(
      `/api/connect/posts?after=${after}`,
    );
    expect([after, status, body.posts?.length]).toEqual([after, 200, 1]);
  }
});
