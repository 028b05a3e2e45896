import { openToEveryone } from '../../core/access.ts';
import type { Ctx } from '../../core/context.ts';
import { markUsed } from './linkCodes.ts';

/** Uses up a code whose account was declined. */
export async function declineLink(ctx: Ctx, codeHash: string): Promise<void> {
  openToEveryone(ctx);
  await markUsed(ctx, codeHash);
}
