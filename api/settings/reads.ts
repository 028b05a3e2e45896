import { eq, inArray } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { type SettingName, settingNames, settingSchemas } from './schema.ts';
import { readSettings } from './values.ts';

export type SettingShown = {
  name: SettingName;
  value: unknown;
  initial: unknown;
  isSet: boolean;
  updatedAt: string | null;
  updatedBy: string | null;
};

/** Every setting (product R32). A stored value that no longer fits its schema counts as unset. */
export async function allSettings(ctx: Ctx): Promise<SettingShown[]> {
  requireAdmin(ctx);
  const { settings: s, user } = schema;
  const values = await readSettings(ctx, settingNames);
  const rows = await ctx.db
    .select({ key: s.key, value: s.value, updatedAt: s.updatedAt, by: user.name })
    .from(s)
    .leftJoin(user, eq(user.id, s.updatedBy))
    .where(inArray(s.key, settingNames));
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
