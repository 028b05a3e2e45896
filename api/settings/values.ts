import { eq, inArray } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import {
  isOwnWords,
  mergedWords,
  type SettingName,
  type SettingValue,
  settingSchemas,
} from './schema.ts';

/** Reads settings in one query; missing or outdated values fall back to the initial ones. */
export async function readSettings<N extends SettingName>(
  ctx: Pick<Ctx, 'db'>,
  names: readonly N[],
): Promise<{ [K in N]: SettingValue<K> }> {
  const rows = await ctx.db
    .select()
    .from(schema.settings)
    .where(inArray(schema.settings.key, [...names]));
  const stored = new Map(rows.map((row) => [row.key, row.value]));
  return Object.fromEntries(
    names.map((name) => {
      if (isOwnWords(name)) return [name, mergedWords(name, stored.get(name))];
      const parsed = settingSchemas[name].schema.safeParse(stored.get(name));
      return [name, parsed.success ? parsed.data : settingSchemas[name].initial];
    }),
  ) as { [K in N]: SettingValue<K> };
}

/** Writes a setting and its audit entry; needs a transaction. */
export async function writeSetting<N extends SettingName>(
  ctx: Ctx,
  name: N,
  value: SettingValue<N>,
): Promise<void> {
  const [old] = await ctx.db
    .select()
    .from(schema.settings)
    .where(eq(schema.settings.key, name))
    .for('update');
  const updatedBy = 'userId' in ctx.actor ? ctx.actor.userId : null;
  const row = { value, updatedAt: ctx.now(), updatedBy };
  await ctx.db
    .insert(schema.settings)
    .values({ key: name, ...row })
    .onConflictDoUpdate({ target: schema.settings.key, set: row });
  await audit(ctx, {
    action: 'settings.write',
    subjectKind: 'settings',
    subjectId: name,
    before: old?.value,
    after: value,
  });
}
