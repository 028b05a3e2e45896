import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { problemsOf } from '../core/issues.ts';
import { readSettings, writeSetting } from '../core/settings.ts';
import { inTransaction, lockNamed } from '../core/transaction.ts';
import { type SettingName, type SettingValue, settingNames, settingSchemas } from './schema.ts';

/** A setting as the admin's page shows it: the value that holds, the one it has without being set, and who set it when. */
export type SettingShown = {
  name: SettingName;
  value: unknown;
  initial: unknown;
  isSet: boolean;
  updatedAt: string | null;
  updatedBy: string | null;
};

/** Every setting (product R32). A stored value that fits no more counts as not set: the initial one holds. */
export async function allSettings(ctx: Ctx): Promise<SettingShown[]> {
  requireAdmin(ctx);
  const { settings: s, user } = schema;
  const values = await readSettings(ctx, settingNames);
  const rows = await ctx.db
    .select({ key: s.key, value: s.value, updatedAt: s.updatedAt, by: user.name })
    .from(s)
    .leftJoin(user, eq(user.id, s.updatedBy));
  const stored = new Map(rows.map((row) => [row.key, row]));
  return settingNames.map((name) => {
    const { schema: rule, initial } = settingSchemas[name];
    const row = stored.get(name);
    const isSet = row !== undefined && rule.safeParse(row.value).success;
    return {
      name,
      value: values[name],
      initial,
      isSet,
      updatedAt: row?.updatedAt.toISOString() ?? null,
      updatedBy: row?.by ?? null,
    };
  });
}

/** Sets one setting, as its schema has it. Refuses `validation` with the field that is wrong, under `value`. */
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
  return inTransaction(ctx, async (tx) => {
    // One after the other, also the first time, when there is no row to lock: each audit line names what it really replaced.
    await lockNamed(tx, `setting:${name}`);
    await writeSetting(tx, name, parsed.data as SettingValue<typeof name>);
    return { name, value: parsed.data };
  });
}
