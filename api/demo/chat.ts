import { and, eq, inArray } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { hasSecondFactor } from '../auth/secondFactor/secondFactor.ts';
import type { Ctx } from '../core/context.ts';
import type { DemoNetwork } from '../core/demoPorts.ts';
import { Refusal } from '../shared/errors.ts';
import type { DemoRole } from './schema.ts';

/** Milliseconds. */
export const patience = { form: 4000, page: 9000 };

/** Refuses `notFound` outside the demo. */
export function networkOf({ services }: Ctx): DemoNetwork {
  if (!services.demoNetwork) throw new Refusal('notFound');
  return services.demoNetwork;
}

/** Contains the visitor id of the signed cookie, so no one reads another's chat. */
export const addressOf = (visitor: string, role: DemoRole) => `demo ${visitor} ${role}`;

/**
 * Picks the role's person among seeded people only; the admin role needs that admin's own session.
 */
export async function personOf(
  ctx: Ctx,
  role: DemoRole,
): Promise<{ id: string; whatsapp: string | null } | undefined> {
  if (role === 'visitor') return undefined;
  if (role === 'admin') {
    const { actor } = ctx;
    if (actor.kind !== 'admin') throw new Refusal('forbidden');
    if (!(await hasSecondFactor(ctx, actor.userId))) throw new Refusal('chats.factorNeeded');
    return { id: actor.userId, whatsapp: null };
  }
  const { user, sellers: s } = schema;
  // Loaded lazily: only the demo needs it.
  const [{ sellers }, { members }] = await Promise.all([
    import('../../db/seed/listings.ts'),
    import('../../db/seed/connect.ts'),
  ]);
  const people =
    role === 'seller'
      ? sellers.filter(({ suspended, whatsapp }) => !suspended && whatsapp)
      : members;
  const emails = people.map(({ email }) => email);
  const rows = await ctx.db
    .select({ id: user.id, email: user.email, whatsapp: s.whatsapp })
    .from(user)
    .leftJoin(s, eq(s.userId, user.id))
    .where(and(inArray(user.email, emails), eq(user.role, 'member')));
  const [first] = rows.sort(
    (one, other) => emails.indexOf(one.email) - emails.indexOf(other.email),
  );
  if (!first) throw new Refusal('notFound');
  return first;
}

/** Reads this browser's chat after a message id. Refuses `notFound`. */
export async function readDemoChat(
  ctx: Ctx,
  { as: role, after, wait }: { as: DemoRole; after: number; wait: boolean },
) {
  const network = networkOf(ctx);
  const { visitor } = ctx.client;
  const address = visitor && addressOf(visitor, role);
  if (address && wait) await network.news(address, after, patience.page);
  const barred = await personOf(ctx, role).then(
    () => null,
    (error: unknown) =>
      error instanceof Refusal && role === 'admin' ? error.code : Promise.reject(error),
  );
  return { lines: address && !barred ? network.read(address, after) : [], barred };
}

/** Magic bytes of images; other files are not shown. */
const beginnings: Record<string, string> = {
  'image/jpeg': 'ffd8ff',
  'image/png': '89504e47',
  'image/webp': '52494646',
};

/** A photo sent in this browser's chat. Refuses `notFound`, also for another's. */
export function demoPhoto(ctx: Ctx, ref: string): { bytes: Uint8Array; type: string } {
  const photo = networkOf(ctx).photo(ref);
  const { visitor } = ctx.client;
  const type =
    photo &&
    Object.keys(beginnings).find((one) =>
      Buffer.from(photo.bytes.subarray(0, 4))
        .toString('hex')
        .startsWith(beginnings[one] ?? '-'),
    );
  if (!type || !visitor || !photo.address.startsWith(`demo ${visitor} `))
    throw new Refusal('notFound');
  return { bytes: photo.bytes, type };
}
