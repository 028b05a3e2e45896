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
import { actors, type Person, signUpMember } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { auditLines } from '../../support/audit.ts';
import { paidPost } from '../../support/posts.ts';
import { approved, draft, live, runQueue, slotOf } from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';

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
    const lines = (await auditLines(market)).filter(({ action }) => action === 'account.agree');
    expect(lines).toMatchObject([
      { subjectId: seller.userId, before: { version: '0' }, after: { version: ownVersion.id } },
    ]);
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
