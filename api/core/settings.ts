import { eq, inArray } from 'drizzle-orm';
import * as z from 'zod';
import { schema } from '../../db/client.ts';
import { audit } from './audit.ts';
import type { Ctx } from './context.ts';

const payee = z.strictObject({ number: z.string().max(40), payee: z.string().max(100) });

/** What the operator can set (decision 32), with the value that holds until somebody does. Amounts in XAF, limits as counts. */
export const settingSchemas = {
  contactNumber: {
    schema: z
      .string()
      .regex(/^\+[1-9]\d{6,14}$/)
      .or(z.literal('')),
    initial: '',
  },
  contactPerHour: { schema: z.int().min(1).max(10_000), initial: 10 },
  contactPerDay: { schema: z.int().min(1).max(100_000), initial: 30 },
  contactPerAddressPerHour: { schema: z.int().min(1).max(1_000_000), initial: 600 },
  statsMeasured: { schema: z.boolean(), initial: false },
  trackFees: { schema: z.boolean(), initial: true },
  payees: {
    schema: z.strictObject({ mtn_momo: payee, orange_money: payee, cash: payee }),
    initial: { mtn_momo: { number: '', payee: '' }, orange_money: { number: '', payee: '' }, cash: { number: '', payee: '' } },
  },
  creditsOnJoining: { schema: z.int().min(0).max(1000), initial: 0 },
  weeklyPurchaseLimitUsd: { schema: z.int().min(0).max(100_000), initial: 20 },
} as const satisfies Record<string, { schema: z.ZodType; initial: unknown }>;

export type SettingName = keyof typeof settingSchemas;
export type SettingValue<N extends SettingName> = z.output<(typeof settingSchemas)[N]['schema']>;

/** Reads settings by name in one query; a missing or outdated row answers with the initial value. */
export async function readSettings<N extends SettingName>(ctx: Pick<Ctx, 'db'>, names: readonly N[]): Promise<{ [K in N]: SettingValue<K> }> {
  const rows = await ctx.db
    .select()
    .from(schema.settings)
    .where(inArray(schema.settings.key, [...names]));
  const stored = new Map(rows.map((row) => [row.key, row.value]));
  return Object.fromEntries(
    names.map((name) => {
      const parsed = settingSchemas[name].schema.safeParse(stored.get(name));
      return [name, parsed.success ? parsed.data : settingSchemas[name].initial];
    }),
  ) as { [K in N]: SettingValue<K> };
}

/** Writes one setting and its audit line. Must run inside a transaction. */
export async function writeSetting<N extends SettingName>(ctx: Ctx, name: N, value: SettingValue<N>): Promise<void> {
  const [old] = await ctx.db.select().from(schema.settings).where(eq(schema.settings.key, name)).for('update');
  const updatedBy = 'userId' in ctx.actor ? ctx.actor.userId : null;
  const row = { value, updatedAt: ctx.now(), updatedBy };
  await ctx.db
    .insert(schema.settings)
    .values({ key: name, ...row })
    .onConflictDoUpdate({ target: schema.settings.key, set: row });
  await audit(ctx, { action: 'settings.write', subjectKind: 'settings', subjectId: name, before: old?.value, after: value });
}
