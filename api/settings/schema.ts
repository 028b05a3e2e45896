import * as z from 'zod/mini';

const payee = z.strictObject({ number: z.string().check(z.maxLength(40)), payee: z.string().check(z.maxLength(100)) });
const whole = (min: number, max: number) => z.int().check(z.minimum(min), z.maximum(max));

/**
 * What the operator can set (product R32), with the value that holds until somebody does. Amounts in XAF, limits as counts. The
 * contact number is E.164, or nothing to hide the button.
 */
export const settingSchemas = {
  contactNumber: { schema: z.string().check(z.refine((text) => text === '' || /^\+[1-9]\d{6,14}$/.test(text), 'phone')), initial: '' },
  contactPerHour: { schema: whole(1, 10_000), initial: 10 },
  contactPerDay: { schema: whole(1, 100_000), initial: 30 },
  contactPerAddressPerHour: { schema: whole(1, 1_000_000), initial: 600 },
  contactNewcomersFree: { schema: whole(0, 1_000_000), initial: 20 },
  contactNewcomersPerHour: { schema: whole(0, 1_000_000), initial: 120 },
  contactQuestionSeconds: { schema: whole(0, 60), initial: 5 },
  contactHarvestProducts: { schema: whole(1, 54), initial: 25 },
  statsMeasured: { schema: z.boolean(), initial: false },
  trackFees: { schema: z.boolean(), initial: true },
  payees: {
    schema: z.strictObject({ mtn_momo: payee, orange_money: payee, cash: payee }),
    initial: { mtn_momo: { number: '', payee: '' }, orange_money: { number: '', payee: '' }, cash: { number: '', payee: '' } },
  },
  creditsOnJoining: { schema: whole(0, 1000), initial: 0 },
  weeklyPurchaseLimitUsd: { schema: whole(0, 100_000), initial: 20 },
} as const satisfies Record<string, { schema: z.ZodMiniType; initial: unknown }>;

export type SettingName = keyof typeof settingSchemas;
export type SettingValue<N extends SettingName> = z.output<(typeof settingSchemas)[N]['schema']>;
