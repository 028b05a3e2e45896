import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction, lockNamed } from '../core/transaction.ts';
import { Refusal } from '../shared/errors.ts';
import { problemsOf } from '../shared/issues.ts';
import { isBranding, loadBranding } from './branding.ts';
import { type SettingName, type SettingValue, settingSchemas } from './schema.ts';
import { writeSetting } from './values.ts';

/** Saves a setting; refuses `validation` with fields under `value`. */
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
  await inTransaction(ctx, async (tx) => {
    // Serialized even without a row to lock, so that each audit entry names the value it replaced.
    await lockNamed(tx, `setting:${name}`);
    await writeSetting(tx, name, parsed.data as SettingValue<typeof name>);
  });
  // Other processes are notified; here the next page must have it.
  if (isBranding(name)) await loadBranding(ctx);
  return { name, value: parsed.data };
}
