import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction, lockNamed } from '../core/transaction.ts';
import { Refusal } from '../shared/errors.ts';
import { problemsOf } from '../shared/issues.ts';
import { isBranding, showBranding } from './branding.ts';
import {
  isOwnWords,
  mergedWords,
  type SettingName,
  type SettingValue,
  settingSchemas,
} from './schema.ts';
import { readSettings, writeSetting } from './values.ts';

/** Saves a setting, of sentences the changed ones; refuses `validation` with fields under `value`. */
export async function saveSetting(
  ctx: Ctx,
  name: SettingName,
  given: unknown,
): Promise<{ name: SettingName; value: unknown }> {
  requireAdmin(ctx);
  const parsed = settingSchemas[name].schema.safeParse(given, { reportInput: true });
  if (!parsed.success) {
    const problems = problemsOf(
      parsed.error.issues.map((issue) => ({ ...issue, path: ['value', ...issue.path] })) as never,
    );
    throw new Refusal('validation', {}, problems);
  }
  let saved: unknown = parsed.data;
  await inTransaction(ctx, async (tx) => {
    // Serialized even without a row to lock, so that each audit entry names the value it replaced.
    await lockNamed(tx, `setting:${name}`);
    if (isOwnWords(name)) {
      const { [name]: before } = await readSettings(tx, [name]);
      saved = mergedWords(name, before, parsed.data);
    }
    await writeSetting(tx, name, saved as SettingValue<typeof name>);
  });
  if (isBranding(name)) await showBranding(ctx);
  return { name, value: saved };
}
