import { createHash } from 'node:crypto';
import { requireAdmin } from '../core/access.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { PictureFailure } from '../pictures/child.ts';
import { loadBranding } from '../settings/branding.ts';
import { writeMark } from '../settings/mark.ts';
import { markBytes, markFileNames, markPath } from '../shared/brand/mark.ts';
import { Refusal } from '../shared/errors.ts';
import { kindOf } from '../uploads/rules.ts';

/**
 * Sets the market's mark from a PNG, JPEG or WebP, which is decoded as a stranger's photo is and
 * written anew. Refuses `settings.markTooBig`, `settings.markType` for any other content, SVG among
 * it, `settings.markUnreadable` and `uploads.busy`.
 */
export async function saveMark(ctx: Ctx, file: string): Promise<{ mark: string }> {
  requireAdmin(ctx);
  const bytes = Buffer.from(file, 'base64');
  if (bytes.byteLength > markBytes)
    throw new Refusal('settings.markTooBig', { max: markBytes / 1024 });
  if (kindOf(bytes) !== 'photo') throw new Refusal('settings.markType');
  const made = await ctx.services.pictures
    .mark(bytes, userIdOf(ctx.actor) ?? undefined)
    .catch((error) => {
      if (!(error instanceof PictureFailure)) throw error;
      const busy = error.why === 'busy' || error.why === 'rested';
      throw new Refusal(busy ? 'unavailable' : 'settings.markUnreadable', {}, [], { cause: error });
    });
  const hash = createHash('sha256');
  for (const one of made) hash.update(one);
  await writeMark(ctx, {
    hash: hash.digest('hex').slice(0, 12),
    files: Object.fromEntries(
      markFileNames.map((name, at) => [
        name,
        Buffer.from(made[at] as Uint8Array).toString('base64'),
      ]),
    ),
  });
  await loadBranding(ctx);
  return { mark: markPath('192') ?? '' };
}
