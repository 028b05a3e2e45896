import type { Ctx } from '../core/context.ts';
import { markUsed } from './linkCodes.ts';

/** Uses up a code whose account was declined. */
export async function declineLink(ctx: Ctx, codeHash: string): Promise<void> {
  await markUsed(ctx, codeHash);
}
