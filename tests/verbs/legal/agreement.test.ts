import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { askExport } from '../../../api/account/export/askExport.ts';
import { leave } from '../../../api/account/leaving/leave.ts';
import { ownAccount } from '../../../api/account/reads.ts';
import { publishPost } from '../../../api/connect/publish.ts';
import { respond } from '../../../api/connect/respond.ts';
import { setPostStatus } from '../../../api/connect/toggle.ts';
import { addUpdate } from '../../../api/connect/update.ts';
import { agree } from '../../../api/legal/agree.ts';
import { agreementOf } from '../../../api/legal/agreement.ts';
import { legalHtml } from '../../../api/legal/markdown.ts';
import { publishTexts } from '../../../api/legal/publish.ts';
import { legalPage, publishedTexts } from '../../../api/legal/reads.ts';
import { type Publication, publication } from '../../../api/legal/schema.ts';
import { ownVersion } from '../../../api/legal/version.ts';
import { buyCredits } from '../../../api/payments/buy.ts';
import { edit } from '../../../api/products/edit.ts';
import { markSold } from '../../../api/products/markSold.ts';
import { relist } from '../../../api/products/relist.ts';
import { relistAtEnd } from '../../../api/products/relistAtEnd.ts';
import { submit } from '../../../api/products/submit.ts';
import { withdraw } from '../../../api/products/withdraw.ts';
import { completeProfile } from '../../../api/sellers/profile.ts';
import { schema } from '../../../db/client.ts';
import { actors, type Person, signUpMember, signUpSeller } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { auditLines } from '../../support/audit.ts';
import { paidPost } from '../../support/posts.ts';
import { approved, draft, live, productRow, runQueue, slotOf } from '../../support/products.ts';
import { outcomes, refused } from '../../support/refusals.ts';

const market = await testApp();
const { seller, otherSeller, admin } = await actors(market);
const { user } = schema;
beforeEach(() => market.reset());
const agreed = (people: Person[], to: string | null) =>
  Promise.all(
    people.map(({ userId }) =>
      market.db
        .update(user)
        .set({ agreedTo: to, agreedAt: to && market.clock.now() } as never)
        .where(eq(user.id, userId)),
    ),
  );
const everybody = [seller, otherSeller, admin];
beforeEach(() => agreed(everybody, ownVersion.id));
const of = (person: Person) => market.ctx(person);

describe('whoever has not agreed to the present terms', () => {
  test('begins nothing', async () => {
    const post = await paidPost(market, seller);
    const theirs = await paidPost(market, otherSeller);
    const listed = await live(market, seller, admin);
    const member = await signUpMember(market);
    const product = draft();
    await agreed([seller, member], '0');
    const ctx = await of(seller);
    const begins: Record<string, () => Promise<unknown>> = {
      submit: () => submit(ctx, product),
      edit: () => edit(ctx, listed.id, product),
      relist: () => relist(ctx, listed.id),
      relistAtEnd: () => relistAtEnd(ctx, listed.id, true),
      publish: () => publishPost(ctx, {} as never, randomUUID()),
      update: () => addUpdate(ctx, post, {} as never, randomUUID()),
      respond: () => respond(ctx, theirs, randomUUID()),
      reopen: () => setPostStatus(ctx, post, 'active'),
      buy: () => buyCredits(ctx, 'cash_partner', randomUUID()),
      sell: async () => completeProfile(await of(member), { name: 'Somebody' } as never),
    };
    for (const begin of Object.values(begins)) await refused(begin(), 'legal.notAgreed');
  });

  test('reads, ends, downloads and deletes, and live listings run on', async () => {
    const post = await paidPost(market, seller);
    const [running, waiting] = [
      await live(market, seller, admin),
      await approved(market, seller, admin),
    ];
    await agreed([seller], null);
    const ctx = await of(seller);
    await runQueue(market);
    expect(await slotOf(market, running.id)).toBeDefined();
    await relistAtEnd(ctx, running.id, false);
    await setPostStatus(ctx, post, 'closed');
    await withdraw(ctx, waiting.id);
    await markSold(ctx, running.id);
    expect((await ownAccount(ctx)).name).toBe(seller.name);
    const withAuth = { ...ctx, auth: market.auth, headers: new Headers() };
    await askExport(withAuth, { password: seller.password });
    expect((await leave(withAuth, { password: seller.password })).goneAt).toBeDefined();
  });
});

test('a listing that its seller wanted listed again is, only where they agreed to what holds then', async () => {
  const [agrees, waits] = [await signUpSeller(market), await signUpSeller(market)];
  const listed = await live(market, agrees, admin, { durationHours: 24 });
  const other = await live(market, waits, admin, { durationHours: 24 });
  await relistAtEnd(await of(agrees), listed.id, true);
  await relistAtEnd(await of(waits), other.id, true);
  await agreed([waits], '0');
  market.clock.advance({ hours: 24 });
  await runQueue(market);
  // A free slot takes it at once.
  expect((await productRow(market, listed.id)).listing?.endedAt).toBeNull();
  expect((await productRow(market, other.id)).listing?.endedAt).toEqual(market.clock.now());
});

describe('agreeing', () => {
  test('is kept with version and time, once; an earlier agreement goes into the audit log', async () => {
    await agreed([seller], '0');
    expect(await agreementOf(await of(seller))).toEqual({ version: ownVersion, asks: true });
    await agree(await of(seller), ownVersion.id);
    const [row] = await market.db.select().from(user).where(eq(user.id, seller.userId));
    expect(row).toMatchObject({ agreedTo: ownVersion.id, agreedAt: market.clock.now() });
    expect(await agreementOf(await of(seller))).toMatchObject({ asks: false });
    market.clock.advance({ days: 1 });
    await agree(await of(seller), ownVersion.id);
    await agreed([seller], '0');
    const ctx = await of(seller);
    await Promise.all([agree(ctx, ownVersion.id), agree(ctx, ownVersion.id)]);
    const lines = (await auditLines(market)).filter(({ action }) => action === 'account.agree');
    // One for each change, although the second came twice at once.
    const line = { before: { version: '0' }, after: { version: ownVersion.id } };
    expect(lines).toMatchObject([line, line].map((one) => ({ ...one, subjectId: seller.userId })));
  });

  test('to a version that an old tab shows is refused', async () => {
    await agreed([seller], null);
    await refused(agree(await of(seller), '0'), 'legal.changed');
    expect(await agreementOf(await of(seller))).toMatchObject({ asks: true });
  });

  test('is asked of admins too, and never of a visitor', async () => {
    await agreed([admin], null);
    expect((await agreementOf(await of(admin))).asks).toBe(true);
    expect((await agreementOf(await market.ctx())).asks).toBe(false);
    await refused(agree(await market.ctx(), ownVersion.id), 'signInRequired');
  });
});

describe('an operator’s own texts', () => {
  const texts = (words: string) => ({ en: `# ${words}`, fr: `# ${words}, en français` });
  const publish = async (after: number, given: Partial<Publication> = {}) =>
    publishTexts(await of(admin), {
      after,
      terms: texts('Rules'),
      privacy: texts('Data'),
      ...given,
    });

  test('are a new version, which everybody is asked about and nothing newer agreed to', async () => {
    expect(await publish(0)).toEqual({ number: 1 });
    const { version, asks } = await agreementOf(await of(seller));
    expect([version, asks]).toEqual([{ id: '1', since: market.clock.now().toISOString() }, true]);
    await refused(agree(await of(seller), ownVersion.id), 'legal.changed');
    await agree(await of(seller), '1');
    expect((await agreementOf(await of(seller))).asks).toBe(false);
    expect(await legalPage(await market.ctx(), 'terms', 'fr')).toEqual({
      since: version.since,
      html: '<h2>Rules, en français</h2>\n',
    });
    expect(await publishedTexts(await of(admin))).toMatchObject({ number: 1, agreed: 1 });
    // The same texts ask nobody again.
    expect(await publish(1)).toEqual({ number: 1 });
    expect((await auditLines(market, 'legal.publish')).map(({ after }) => after)).toEqual([
      { version: 1 },
    ]);
  });

  test('that two admins publish at once are published once', async () => {
    expect(await outcomes([publish(0), publish(0, { terms: texts('Other rules') })])).toEqual([
      'kept',
      'legal.published',
    ]);
  });

  test('of one page leave the other to the market, whose change is a new version too', async () => {
    await publish(0, { privacy: { en: '', fr: '' } });
    const { version } = await agreementOf(await of(seller));
    expect(version.id).toBe(`1-${ownVersion.id.split('-')[1]}`);
    expect((await legalPage(await market.ctx(), 'privacy', 'en')).html).toBeNull();
    // Given back, the market's own hold again, as a version of their own.
    await publish(1, { terms: { en: '', fr: '' }, privacy: { en: '', fr: '' } });
    expect((await agreementOf(await of(seller))).version.id).not.toBe(version.id);
  });

  test('are of admins alone, in both languages or none, and no longer than 30,000 characters', async () => {
    await refused(
      publishTexts(await of(seller), { after: 0, terms: texts('x'), privacy: texts('x') }),
      'forbidden',
    );
    const judged = (terms: object) =>
      publication.safeParse({ after: 0, privacy: { en: '', fr: '' }, terms }).error?.issues[0];
    expect(judged({ en: 'Rules', fr: '' })).toMatchObject({ path: ['terms', 'fr'] });
    expect(judged({ en: 'Rules', fr: '\u200b ' })).toMatchObject({ path: ['terms', 'fr'] });
    expect(judged({ en: 'x'.repeat(30_001), fr: 'y' })).toMatchObject({ path: ['terms', 'en'] });
    expect(judged({ en: 'x'.repeat(30_000), fr: 'y' })).toBeUndefined();
  });
});

test.each([
  [
    'a tag is text',
    'a <script>alert(1)</script> b',
    '<p>a &lt;script&gt;alert(1)&lt;/script&gt; b</p>',
  ],
  ['so is a block of tags', '<div onclick=x>y</div>', '<p>&lt;div onclick=x&gt;y&lt;/div&gt;</p>'],
  ['a picture is its words', '![a map](https://evil.example/p.png)', '<p>a map</p>'],
  ['and its words are text', '![<b>](x "y")', '<p>&lt;b&gt;</p>'],
  ['a script’s address is no link', '[x](javascript:alert(1))', '<p>x</p>'],
  ['nor are data', '[x][1]\n\n[1]: data:text/html,1', '<p>x</p>'],
  ['nor another host without a scheme', '[x](//evil.example)', '<p>x</p>'],
  [
    'a backslash stays on this site',
    '[x](/\\\\evil.example)',
    '<p><a href="/%5Cevil.example">x</a></p>',
  ],
  ['nor plain http', '[x](http://a.example)', '<p>x</p>'],
  ['a page of this site is', '[x](/fr/terms)', '<p><a href="/fr/terms">x</a></p>'],
  [
    'and one by https, which learns nothing',
    '[x](https://a.example/"onclick=1)',
    '<p><a href="https://a.example/%22onclick=1" rel="noopener noreferrer nofollow">x</a></p>',
  ],
  ['a title is one of the page', '# One', '<h2>One</h2>'],
])('Markdown: %s', (_, markdown, html) => {
  expect(legalHtml(markdown).trim()).toBe(html);
});
