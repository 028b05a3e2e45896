import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { showBranding } from '../settings/branding.ts';
import { writeMark } from '../settings/mark.ts';

/** Shows the mark of the software again. */
export async function removeMark(ctx: Ctx): Promise<{ mark: null }> {
  requireAdmin(ctx);
  await writeMark(ctx, null);
  await showBranding(ctx);
  return { mark: null };
}
