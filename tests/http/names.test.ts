import { beforeEach, describe, expect, test } from 'vitest';
import { publicRows } from '../../api/listings/standing.ts';
import { approve } from '../../api/products/review/approve.ts';
import { faceOf } from '../../api/sharecards/face.ts';
import { writable } from '../../api/sharecards/lettering.ts';
import { clean } from '../../api/shared/clean.ts';
import { escapeHtml } from '../../api/shared/html.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { awkwardNames, rightToLeft } from '../support/names.ts';
import { draftJson, photoRow, productRow, runQueue, slotOf } from '../support/products.ts';

/** Names appear exactly as typed: in the greeting, mails and their subjects, and the share card. */
const market = await testApp();
const { seller, otherSeller, admin } = await actors(market);
beforeEach(() => market.reset());
const kept = (name: string) => clean(name);

/** Brings a product into a stall, starting with the wizard's request. */
async function listed(name: string, more: Record<string, unknown> = {}): Promise<string> {
  const json = draftJson({ name: { en: name }, images: [await photoRow(market, seller)], ...more });
  const { status, body } = await market.call<{ id: string }>('/api/products', { json, as: seller });
  expect(status, JSON.stringify(body)).toBe(201);
  await approve(await market.ctx(admin), body.id);
  await runQueue(market);
  return body.id;
}
const said = (name: string) => (name === rightToLeft ? `\u2068${name}\u2069` : name);

describe.each([...awkwardNames, rightToLeft])('a product called %s', (typed) => {
  const name = kept(typed);

  test('is kept and said as it is', async () => {
    const id = await listed(typed, { businessName: typed });
    expect(await productRow(market, id)).toMatchObject({ name: { en: name }, businessName: name });

    const { body } = await market.call<{ link: string }[]>(`/api/products/${id}/contact`, {
      json: { consent: true },
      as: otherSeller,
    });
    const slot = String((await slotOf(market, id))?.id).padStart(2, '0');
    expect(new URL(body[0]?.link ?? '').searchParams.get('text')).toBe(
      `Hello, I am interested in “${said(name)}” (slot #${slot}) on Marché 54. Is it still available?`,
    );

    const mails = await market.mails.allTo(seller.email);
    expect(
      mails.map(({ subject }) => subject).filter((subject) => subject.includes(said(name))),
    ).toHaveLength(3);
    const approved = mails.find(({ subject }) => subject === `“${said(name)}” is approved`);
    expect(approved?.text).toContain(said(name));
    expect(approved?.html).toContain(escapeHtml(said(name)));

    const [row] = await publicRows(await market.ctx(), undefined);
    if (!row) throw new Error('There is no such product');
    expect(faceOf(row, 'live', 'en').title).toBe(writable(name));
  });

  test('and a message with it reaches a seller as it was written', async () => {
    const { status } = await market.call(`/api/admin/sellers/${seller.sellerId}/notify`, {
      json: { subject: typed, message: `First\n${typed}` },
      as: admin,
    });
    expect(status).toBe(202);
    const mail = await market.mails.lastTo(seller.email);
    expect(mail.subject).toBe(said(name));
    expect(mail.text).toContain(`First\n${name}`);
    expect(mail.html).toContain(`First<br>${escapeHtml(name)}`);
  });
});

test('a name that turns its surroundings around does so nowhere', async () => {
  const id = await listed('Samsung \u202e41A yxalaG\u2069', {
    sellerLocation: '\u2067Douala, Littoral',
    businessName: 'Shop\u0007\nof two lines',
  });
  expect(await productRow(market, id)).toMatchObject({
    name: { en: 'Samsung 41A yxalaG' },
    city: 'Douala',
    businessName: 'Shop of two lines',
  });
});

test('a place that the share card cannot write leaves no comma behind', async () => {
  await listed('Basket', { sellerLocation: `${rightToLeft.slice(0, 4)}, Littoral` });
  const [row] = await publicRows(await market.ctx(), undefined);
  expect(row && faceOf(row, 'live', 'en').place).toBe('Littoral');
});

test.each([
  ['𝗜𝗣𝗛𝗢𝗡𝗘 ❶❸ 🔥', 'IPHONE 13', /^iphone-13-/],
  ['🔥🔥🔥', 'Electronics', /^electronics-/],
  ['آيفون جديد PS', 'Electronics', /^ps-/],
])('%s has a share card and a slug that can be read', async (name, title, slug) => {
  const id = await listed(name);
  const [row] = await publicRows(await market.ctx(), undefined);
  expect(row && faceOf(row, 'live', 'en').title).toBe(title);
  expect((await productRow(market, id)).slug).toMatch(slug);
});

test('a name of nothing that can be seen is asked for', async () => {
  const json = draftJson({
    name: { en: '\u200f\u200b\u202e\u2066' },
    images: [await photoRow(market, seller)],
  });
  const { status, body } = await market.call<{ error: { details?: unknown; fields?: unknown } }>(
    '/api/products',
    { json, as: seller },
  );
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain('name.en');
});
