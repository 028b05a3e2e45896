import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { joiningOffer, members, purchases, reported, requests } from '../../db/seed/connect.ts';
import { sellers } from '../../db/seed/listings.ts';
import type { SeedRequest } from '../../db/seed/types.ts';
import type { WithAuth } from '../auth/context.ts';
import { createAccount } from '../auth/create.ts';
import { publishPost } from '../connect/publish.ts';
import { reportPost } from '../connect/report.ts';
import { respond } from '../connect/respond.ts';
import { newPost } from '../connect/schema.ts';
import { setPostStatus } from '../connect/toggle.ts';
import { addUpdate } from '../connect/update.ts';
import type { Ctx } from '../core/context.ts';
import { currentVersion } from '../legal/version.ts';
import { simulation } from '../payments/adapters.ts';
import { buyCredits } from '../payments/buy.ts';
import { ownPurchases } from '../payments/reads.ts';
import { settlePurchase } from '../payments/settle.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const people = [...sellers, ...members];

/** `ago` is in milliseconds. */
type Event = { ago: number; act: () => Promise<unknown> };

/**
 * Seeds Connect by running the real verbs at past times, so ledger and chains verify. Call it in
 * the transaction that fills the demo.
 * @param userIds of sellers and members, by their keys
 */
export async function seedConnect(ctx: Ctx, userIds: ReadonlyMap<string, string>): Promise<void> {
  const { db } = ctx;
  const start = ctx.now().getTime();
  const version = await currentVersion(ctx);
  const at = (ago: number, key: string): Ctx => {
    const person = people.find((one) => one.key === key);
    const userId = userIds.get(key);
    if (!person || !userId) throw new Error(`The demo has nobody called ${key}`);
    return {
      ...ctx,
      // A provider that is set up besides is not asked for samples.
      services: { ...ctx.services, payments: [simulation] },
      now: () => new Date(start - ago),
      actor: {
        kind: 'member',
        userId,
        sessionId: null,
        name: person.name,
        email: person.email,
        agreedTo: version.id,
      },
    };
  };
  const bought = purchases.map(({ member, method, daysAgo, receipt }, index): Event => {
    const ago = daysAgo * day;
    return {
      ago,
      act: async () => {
        const { id } = await buyCredits(at(ago, member), method, `demo-purchase-${index}`);
        // Reading a moment later completes the simulated payment.
        await ownPurchases(at(ago - 5000, member));
        if (receipt)
          await settlePurchase({ ...ctx, now: () => new Date(start - ago + day / 4) }, id, receipt);
      },
    };
  });
  const references = new Map<SeedRequest, string>();
  const happened = [
    ...bought,
    ...requests.flatMap((request) => eventsOf(request, references, at)),
  ].sort((a, b) => b.ago - a.ago);

  const { settings, outbox, connectFigures } = schema;
  await db.insert(settings).values({ key: 'creditsOnJoining', value: joiningOffer });
  for (const { act } of happened) await act();
  // Members who join the demo later start with no credits, like on the market.
  await db.delete(settings).where(eq(settings.key, 'creditsOnJoining'));
  // The outbox shows only mails that visitors cause.
  await db.delete(outbox);

  const posts = new Map(
    (
      await db
        .select({ id: schema.connectPosts.id, reference: schema.connectPosts.reference })
        .from(schema.connectPosts)
    ).map((row) => [row.reference, row.id]),
  );
  await db.insert(connectFigures).values(
    requests.map((request) => ({
      postId: posts.get(references.get(request) ?? '') ?? '',
      views: request.views,
    })),
  );
  const subject = requests.find(
    ({ owner, title }) => owner === reported.owner && title === reported.title,
  );
  const visitor = {
    ...ctx,
    now: () => new Date(start - 70 * minute),
    client: { ...ctx.client, visitor: 'demo-visitor-connect' },
  };
  if (subject) await reportPost(visitor, references.get(subject) ?? '', reported);
}

/** Publishing adds the reference to `references`. */
function eventsOf(
  request: SeedRequest,
  references: Map<SeedRequest, string>,
  at: (ago: number, key: string) => Ctx,
): Event[] {
  const {
    owner,
    budget,
    number,
    views: _,
    minutesAgo,
    responses = [],
    updates = [],
    closed,
    ...words
  } = request;
  const reference = () => references.get(request) ?? '';
  const contactWhatsapp =
    number === false ? undefined : people.find(({ key }) => key === owner)?.whatsapp;
  const post = newPost.parse({
    ...words,
    budgetMin: budget[0],
    budgetMax: budget[1],
    contactWhatsapp,
  });
  const event = (
    minutes: number,
    key: string,
    act: (as: Ctx, name: string) => Promise<unknown>,
  ): Event => ({
    ago: minutes * minute,
    act: () => act(at(minutes * minute, key), `demo-${minutesAgo}-${minutes}-${key}`),
  });
  return [
    event(minutesAgo, owner, async (as, name) =>
      references.set(request, (await publishPost(as, post, name)).reference),
    ),
    ...responses.map(([member, minutes]) =>
      event(minutes, member, (as, name) => respond(as, reference(), name)),
    ),
    ...updates.map(([minutes, type, message]) =>
      event(minutes, owner, (as, name) => addUpdate(as, reference(), { type, message }, name)),
    ),
    ...(closed === undefined
      ? []
      : [event(closed, owner, (as) => setPostStatus(as, reference(), 'closed'))]),
  ];
}

export async function createMembers(
  ctx: WithAuth,
  passwordHash: string,
): Promise<[key: string, userId: string][]> {
  const made: [string, string][] = [];
  const agreed = { to: (await currentVersion(ctx)).id, at: ctx.now() };
  for (const { key, email, name, language } of members)
    made.push([
      key,
      (await createAccount(ctx, { email, name, language, passwordHash, agreed })).id,
    ]);
  return made;
}
