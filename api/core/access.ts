import { Refusal } from '../shared/errors.ts';
import type { Actor, Ctx, SellerOfActor } from './context.ts';

/**
 * Roles of the route × role matrix (product §6); a member is signed in without a seller profile.
 */
export const roles = [
  ...(['visitor', 'member', 'seller', 'suspendedSeller'] as const),
  ...(['moderator', 'admin'] as const),
] as const;
export type Role = (typeof roles)[number];

export const everyone: readonly Role[] = roles;
export const signedIn: readonly Role[] = roles.filter((role) => role !== 'visitor');
export const activeSellers: readonly Role[] = ['seller'];
export const admins: readonly Role[] = ['admin'];
/** May review products and handle reports and posts (product R60). */
export const moderators: readonly Role[] = ['moderator', 'admin'];

/** True for a role with the admins' sign-in page, password rule and second factor. */
export const isTeam = (role: string | null | undefined): boolean =>
  moderators.some((one) => one === role);

/** Jobs never call routes, so they count as visitors. */
export function roleOf(actor: Actor): Role {
  switch (actor.kind) {
    case 'seller':
      return actor.seller.suspended ? 'suspendedSeller' : 'seller';
    case 'job':
      return 'visitor';
    default:
      return actor.kind;
  }
}

/**
 * Refuses other roles: `signInRequired`, `sellers.suspended`, `sellers.profileMissing`,
 * `forbidden`.
 */
export function admit(actor: Actor, allowed: readonly Role[]): void {
  const role = roleOf(actor);
  if (allowed.includes(role)) return;
  if (role === 'visitor') throw new Refusal('signInRequired');
  if (role === 'suspendedSeller') throw new Refusal('sellers.suspended');
  if (role === 'member' && allowed.includes('seller')) throw new Refusal('sellers.profileMissing');
  throw new Refusal('forbidden');
}

/** The acting seller, unless suspended. Verbs call it too: jobs and the bot bypass routes. */
export function requireSeller(ctx: Ctx): SellerOfActor & { userId: string } {
  const { actor } = ctx;
  if (actor.kind === 'visitor') throw new Refusal('signInRequired');
  if (actor.kind === 'moderator') throw new Refusal('forbidden');
  if (actor.kind !== 'seller' && actor.kind !== 'admin')
    throw new Refusal('sellers.profileMissing');
  if (!actor.seller) throw new Refusal('sellers.profileMissing');
  if (actor.seller.suspended) throw new Refusal('sellers.suspended');
  return { ...actor.seller, userId: actor.userId };
}

/** Refuses everyone but admins and the market's own jobs (product §6). */
export function requireAdmin(ctx: Ctx): void {
  if (ctx.actor.kind === 'admin' || ctx.actor.kind === 'job') return;
  if (ctx.actor.kind === 'visitor') throw new Refusal('signInRequired');
  throw new Refusal('forbidden');
}

/** Refuses everyone but moderators, admins and the market's own jobs (product R60). */
export function requireModerator(ctx: Ctx): void {
  if (ctx.actor.kind !== 'moderator') requireAdmin(ctx);
}

/** The acting person's account. Refuses `signInRequired`. */
export function requireAccount({ actor }: Pick<Ctx, 'actor'>): Extract<Actor, { userId: string }> {
  if (!('userId' in actor)) throw new Refusal('signInRequired');
  return actor;
}

/** The acting admin's own account, for what no job may do. Refuses `signInRequired`, `forbidden`. */
export function requireAdminAccount({ actor }: Pick<Ctx, 'actor'>) {
  if (actor.kind === 'visitor') throw new Refusal('signInRequired');
  if (actor.kind !== 'admin') throw new Refusal('forbidden');
  return actor;
}

/** The acting moderator's or admin's own account. Refuses `signInRequired`, `forbidden`. */
export const requireTeamAccount = (ctx: Pick<Ctx, 'actor'>) =>
  ctx.actor.kind === 'moderator' ? ctx.actor : requireAdminAccount(ctx);

/**
 * The access check of a verb that needs no account: anyone may do it, or a mailed link or a
 * provider's signature that the verb itself verifies is the proof.
 */
export const openToEveryone = ({ actor }: Pick<Ctx, 'actor'>): void => admit(actor, everyone);
