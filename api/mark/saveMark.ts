import { createHash } from 'node:crypto';
import { requireAdmin } from '../core/access.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { PictureFailure, type Why } from '../pictures/child.ts';
import { showBranding } from '../settings/branding.ts';
import { writeMark } from '../settings/mark.ts';
import { markBytes, markFileNames, markPath } from '../shared/brand/mark.ts';
import { Refusal } from '../shared/errors.ts';
import { kindOf } from '../uploads/rules.ts';

const unreadableFor: ReadonlySet<Why> = new Set<Why>([
  'notImage',
  'cut',
  'tooManyPixels',
  'tooHeavy',
]);

/**
 * Sets the market's mark from a PNG, JPEG or WebP, which is decoded as a stranger's photo is and
 * re-encoded. Refuses `settings.markTooBig`, `settings.markType` for any other content, SVG among
 * it, `settings.markUnreadable`, and `unavailable` if too many pictures wait or its process ended.
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
      const unreadable = unreadableFor.has(error.why);
      throw new Refusal(unreadable ? 'settings.markUnreadable' : 'unavailable', {}, [], {
        cause: error,
      });
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
  await showBranding(ctx);
  return { mark: markPath('192') ?? '' };
}
