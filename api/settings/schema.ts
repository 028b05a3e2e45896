import * as z from 'zod/mini';
import { atMost, day } from '../core/fields.ts';
import { slotCount } from '../core/slots.ts';

/** The ways in which a test message goes out. */
export const testWay = z.strictObject({ way: z.enum(['mail', 'chat']) });
export type TestWay = z.output<typeof testWay>['way'];

const payee = z.strictObject({
  number: z.string().check(z.maxLength(40)),
  payee: z.string().check(z.maxLength(100)),
});
const whole = (min: number, max: number) => z.int().check(z.minimum(min), z.maximum(max));

/** The forms of the admin's page, in its order; each is saved by itself. */
export const settingGroups = ['operator', 'stats', 'fees', 'payees', 'limits', 'connect'] as const;
export type SettingGroupName = (typeof settingGroups)[number];

/**
 * What the operator can set (product R32): the form it stands in, what it may be, and the value that holds until somebody sets one. Amounts in
 * XAF, limits as counts. The page draws it from here, with its words in `fields` of `locales/<language>/admin/settings.json`. The contact number is
 * E.164, or nothing to hide the button; the contact email is for suspended sellers, who get the number without one.
 */
export const settingSchemas = {
  contactNumber: {
    group: 'operator',
    schema: z.string().check(
      atMost(60, 'phone'),
      z.refine((text) => text === '' || /^\+[1-9]\d{6,14}$/.test(text), 'phone'),
    ),
    initial: '',
  },
  contactEmail: {
    group: 'operator',
    schema: z.string().check(
      atMost(254),
      z.refine((text) => text === '' || z.regexes.email.test(text), 'email'),
    ),
    initial: '',
  },
  contactPerHour: { group: 'limits', schema: whole(1, 10_000), initial: 10 },
  contactPerDay: { group: 'limits', schema: whole(1, 100_000), initial: 30 },
  contactPerAddressPerHour: { group: 'limits', schema: whole(1, 1_000_000), initial: 600 },
  contactNewcomersFree: { group: 'limits', schema: whole(0, 1_000_000), initial: 20 },
  contactNewcomersPerHour: { group: 'limits', schema: whole(0, 1_000_000), initial: 120 },
  contactTurnSeconds: { group: 'limits', schema: whole(1, 3600), initial: 60 },
  contactQuestionSeconds: { group: 'limits', schema: whole(0, 60), initial: 5 },
  contactHarvestProducts: { group: 'limits', schema: whole(1, slotCount), initial: 25 },
  statsMeasured: { group: 'stats', schema: z.boolean(), initial: false },
  trackFees: { group: 'fees', schema: z.boolean(), initial: true },
  payees: {
    group: 'payees',
    schema: z.strictObject({ mtn_momo: payee, orange_money: payee, cash: payee }),
    initial: {
      mtn_momo: { number: '', payee: '' },
      orange_money: { number: '', payee: '' },
      cash: { number: '', payee: '' },
    },
  },
  creditsOnJoining: { group: 'connect', schema: whole(0, 1000), initial: 0 },
  weeklyPurchaseLimitUsd: { group: 'connect', schema: whole(0, 100_000), initial: 20 },
  // Nothing, or 0, where no price in XAF is shown.
  packPriceXaf: { group: 'connect', schema: whole(0, 10_000_000), initial: 0 },
  packPriceXafFrom: {
    group: 'connect',
    schema: z.string().check(
      atMost(40, 'date'),
      z.refine((text) => text === '' || day.safeParse(text).success, 'date'),
    ),
    initial: '',
  },
} as const satisfies Record<
  string,
  { group: SettingGroupName; schema: z.ZodMiniType; initial: unknown }
>;

export type SettingName = keyof typeof settingSchemas;
export type SettingValue<N extends SettingName> = z.output<(typeof settingSchemas)[N]['schema']>;

export const settingNames = Object.keys(settingSchemas) as [SettingName, ...SettingName[]];
