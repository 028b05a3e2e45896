import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { newestBackup } from '../backup/newest.ts';
import type { Ctx } from '../core/context.ts';
import { newestTexts } from '../legal/version.ts';
import { readSettings } from '../settings/values.ts';
import { health } from './rules.ts';

/** Lines of the dashboard's list for a new market, each with the section of the runbook it links. */
export const neededFirst = {
  keys: 'secrets-which-may-be-changed',
  mail: 'mail-that-arrives',
  backup: 'back-up',
  names: 'before-people-come',
  texts: 'before-people-come',
  payment: 'before-people-come',
} as const;
type Needed = keyof typeof neededFirst;

const settingNames = [
  ...(['operatorName', 'operatorAddress', 'contactEmail'] as const),
  ...(['contactNumber', 'payees', 'paymentSenders'] as const),
] as const;

/** Returns the lines whose check fails; none in the demo, which serves no real people. */
export async function missingYet(ctx: Ctx): Promise<{ name: Needed; runbook: string }[]> {
  const { env } = ctx.services;
  if (env.demo) return [];
  const { outbox } = schema;
  const told = await readSettings(ctx, settingNames);
  const texts = await newestTexts(ctx);
  const delivered = and(eq(outbox.channel, 'email'), eq(outbox.state, 'sent'));
  const newest = await newestBackup(ctx).catch(() => null);
  const has: Record<Needed, boolean> = {
    keys: env.AUTH_SECRET !== undefined,
    mail: !env.MAIL_FROM.includes('@localhost') && (await ctx.db.$count(outbox, delivered)) > 0,
    backup: Boolean(newest && ctx.now().getTime() - newest.getTime() <= health.backupLateMs),
    names: [told.operatorName, told.operatorAddress, told.contactEmail || told.contactNumber].every(
      Boolean,
    ),
    texts: Boolean(texts?.terms && texts.privacy),
    payment:
      (env.PAWAPAY_TOKEN !== undefined ||
        Object.values(told.payees).some(({ number }) => number !== '')) &&
      told.paymentSenders !== '',
  };
  return (Object.keys(neededFirst) as Needed[])
    .filter((name) => !has[name])
    .map((name) => ({ name, runbook: `/admin/runbook#${neededFirst[name]}` }));
}
