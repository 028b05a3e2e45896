import type { Actor, Ctx, SellerOfActor } from './context.ts';
import { Refusal } from './errors.ts';

/** The roles of the route × role matrix (product §6). A member is signed in without a seller profile. */
export const roles = ['visitor', 'member', 'seller', 'suspendedSeller', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Who may call a route, by name. A route declares one of these or its own list. */
export const everyone: readonly Role[] = roles;
export const signedIn: readonly Role[] = ['member', 'seller', 'suspendedSeller', 'admin'];
export const activeSellers: readonly Role[] = ['seller'];
export const admins: readonly Role[] = ['admin'];

/** The role that an actor has at a door, whatever the door. Jobs never come through one. */
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

/** Refuses an actor whose role is not among the allowed, with the reason that helps most. */
export function admit(actor: Actor, allowed: readonly Role[]): void {
  const role = roleOf(actor);
  if (allowed.includes(role)) return;
  if (role === 'visitor') throw new Refusal('signInRequired');
  if (role === 'suspendedSeller') throw new Refusal('sellers.suspended');
  if (role === 'member' && allowed.includes('seller')) throw new Refusal('sellers.profileMissing');
  throw new Refusal('forbidden');
}

/** The acting seller, in good standing; verbs call it again because jobs and bots do not come through a route. */
export function requireSeller(ctx: Ctx): SellerOfActor & { userId: string } {
  const { actor } = ctx;
  if (actor.kind === 'visitor') throw new Refusal('signInRequired');
  if (actor.kind !== 'seller' && actor.kind !== 'admin')
    throw new Refusal('sellers.profileMissing');
  if (!actor.seller) throw new Refusal('sellers.profileMissing');
  if (actor.seller.suspended) throw new Refusal('sellers.suspended');
  return { ...actor.seller, userId: actor.userId };
}

/** Refuses everyone but admins (product §6: required for all /admin pages); the market's own jobs pass. */
export function requireAdmin(ctx: Ctx): void {
  if (ctx.actor.kind === 'admin' || ctx.actor.kind === 'job') return;
  if (ctx.actor.kind === 'visitor') throw new Refusal('signInRequired');
  throw new Refusal('forbidden');
}
