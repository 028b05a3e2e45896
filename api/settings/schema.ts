import * as z from 'zod/mini';
import { inEveryLanguage, type Language } from '../../locales/languages.ts';
import {
  longestOf,
  type OwnWords,
  type OwnWordsSetting,
  ownWords,
} from '../../locales/ownWords.ts';
import { asHex, isVisible, type Theme } from '../shared/brand/colours.ts';
import { cleanLine, isBlank } from '../shared/clean.ts';
import { readPhone } from '../shared/contact/readPhone.ts';
import { atMost, day } from '../shared/fields.ts';
import { slotCount } from '../shared/slots.ts';

export const testWay = z.strictObject({ way: z.enum(['mail', 'chat']) });
export type TestWay = z.output<typeof testWay>['way'];

/** The number may be a merchant code; sellers see it as typed. */
const payee = z.strictObject({
  number: z.string().check(z.maxLength(40)),
  payee: z.string().check(z.maxLength(100)),
});
/** In characters: a phone's header has room for no more. */
const longestName = 30;

/** A line of text that public pages show. */
const line = z.pipe(z.string().check(atMost(300)), z.transform(cleanLine));
/** True for letters that share cards, receipts and the senders of mails can write. */
const isWritten = (text: string): boolean =>
  /^[A-Za-z\d\u00c0-\u02af\u1e00-\u1eff](?:[A-Za-z\d\u00c0-\u02af\u1e00-\u1eff '’&.+-]\p{M}?)*$/u.test(
    text,
  ) && /\p{L}/u.test(text);
/** One spelling of each letter, and plain spaces. */
const plainLine = z.pipe(
  z.string().check(atMost(300)),
  z.transform((text) => cleanLine(text.normalize('NFKC').replaceAll(/\p{Zs}/gu, ' '))),
);
/** The market's name; empty for `brand.name`. */
const name = z.pipe(plainLine, z.string()).check(
  atMost(longestName),
  z.refine((text) => text === '' || isWritten(text), 'latin'),
);
const town = z.pipe(plainLine, z.string()).check(
  atMost(40),
  z.refine((text) => text === '' || isWritten(text), 'latin'),
);
/** Braces and `$t(` would be read as parts of a sentence. */
const sentence = (max: number) =>
  z.pipe(z.string().check(atMost(300)), z.transform(cleanLine)).check(
    atMost(max),
    z.refine((text) => !/[{}]|\$t\(/.test(text), 'braces'),
  );
export const isOwnWords = (name: string): name is OwnWordsSetting => name in ownWords;

const noWords: Partial<Record<Language, OwnWords>> = inEveryLanguage(() => ({}));

/** Changed sentences by language and key; an empty one is the market's again. */
const wordsOf = (setting: OwnWordsSetting) => {
  const sentences = z.strictObject(
    Object.fromEntries(
      ownWords[setting].map((key) => [key, z.optional(sentence(longestOf(key)))]),
    ) as Record<string, z.ZodMiniOptional<z.ZodMiniType<string, string>>>,
  );
  return z.strictObject(inEveryLanguage(() => z.optional(sentences)));
};

/**
 * Merges stored sentences and changes to them. A key that this release does not know, or a sentence
 * too long for it, is left out; the others stay.
 */
export function mergedWords(
  setting: OwnWordsSetting,
  ...given: readonly unknown[]
): Partial<Record<Language, OwnWords>> {
  const record = z.catch(z.record(z.string(), z.unknown()), {});
  const read = (one: unknown, language: Language) => record.parse(record.parse(one)[language]);
  return inEveryLanguage((language) => {
    const all = Object.assign({}, ...given.map((one) => read(one, language)));
    const known = ownWords[setting].flatMap((key) => {
      const { success, data } = sentence(longestOf(key)).safeParse(all[key]);
      return success && data ? [[key, data]] : [];
    });
    return Object.fromEntries(known);
  });
}

/** Hexadecimal with six digits; empty for the market's own. */
const colour = (theme: Theme) =>
  z.pipe(z.string().check(atMost(20)), z.transform(asHex)).check(
    z.refine((given) => given === '' || /^#[\da-f]{6}$/.test(given), {
      error: 'colour',
      abort: true,
    }),
    z.refine((given) => given === '' || isVisible(given, theme), `${theme}Contrast`),
  );
const colours = (theme: Theme) => z.strictObject({ plate: colour(theme), hot: colour(theme) });
const whole = (min: number, max: number) => z.int().check(z.minimum(min), z.maximum(max));

/** XAF for one dollar, to the hundredth. */
const rate = z.number().check(
  z.minimum(0),
  z.maximum(100_000),
  z.refine((given) => isHundredths(given), 'invalid'),
);
const isHundredths = (given: number): boolean =>
  Math.abs(given * 100 - Math.round(given * 100)) < 1e-6;

/** Forms of the admin page, in order; each is saved separately. */
export const settingGroups = [
  'market',
  'colours',
  'words',
  'operator',
  'stats',
  'fees',
  'payees',
  'limits',
  'connect',
] as const;
export type SettingGroupName = (typeof settingGroups)[number];

/**
 * The operator's settings (product R32): form, rule and initial value; amounts in XAF. The page is
 * drawn from these, with words in `fields` of `locales/<language>/admin/settings.json`. Without a
 * contact number (E.164) its button is hidden; suspended sellers see the contact email, or else the
 * number.
 */
export const settingSchemas = {
  marketName: { group: 'market', schema: name, initial: '' },
  marketTown: { group: 'market', schema: town, initial: '' },
  colours: {
    group: 'colours',
    schema: z.strictObject({ light: colours('light'), dark: colours('dark') }),
    initial: { light: { plate: '', hot: '' }, dark: { plate: '', hot: '' } },
  },
  taglines: { group: 'words', schema: wordsOf('taglines'), initial: noWords },
  howItWorks: { group: 'words', schema: wordsOf('howItWorks'), initial: noWords },
  contactNumber: {
    group: 'operator',
    schema: z.pipe(
      z.pipe(
        z.string().check(atMost(300, 'phone')),
        z.transform((text) => readPhone(text) ?? (isBlank(text) ? '' : text)),
      ),
      z.string().check(
        atMost(300, 'phone'),
        z.refine((text) => text === '' || /^\+[1-9]\d{6,14}$/.test(text), 'phone'),
      ),
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
  operatorName: { group: 'operator', schema: line, initial: '' },
  operatorAddress: { group: 'operator', schema: line, initial: '' },
  operatorTaxNumber: { group: 'operator', schema: line, initial: '' },
  dataOfficer: { group: 'operator', schema: line, initial: '' },
  contactPerHour: { group: 'limits', schema: whole(1, 10_000), initial: 10 },
  contactPerDay: { group: 'limits', schema: whole(1, 100_000), initial: 30 },
  contactPerAddressPerHour: { group: 'limits', schema: whole(1, 1_000_000), initial: 600 },
  contactNewcomersFree: { group: 'limits', schema: whole(0, 1_000_000), initial: 20 },
  contactNewcomersPerHour: { group: 'limits', schema: whole(0, 1_000_000), initial: 120 },
  contactTurnSeconds: { group: 'limits', schema: whole(1, 3600), initial: 60 },
  contactQuestionSeconds: { group: 'limits', schema: whole(0, 60), initial: 5 },
  contactHarvestProducts: { group: 'limits', schema: whole(1, slotCount), initial: 25 },
  offlinePages: { group: 'operator', schema: z.boolean(), initial: true },
  statsMeasured: { group: 'stats', schema: z.boolean(), initial: false },
  figures: { group: 'stats', schema: wordsOf('figures'), initial: noWords },
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
  paymentSenders: { group: 'payees', schema: line, initial: '' },
  creditsOnJoining: { group: 'connect', schema: whole(0, 1000), initial: 0 },
  weeklyPurchaseLimitUsd: { group: 'connect', schema: whole(0, 100_000), initial: 20 },
  // 0 or empty hides the XAF price.
  xafPerUsd: { group: 'connect', schema: rate, initial: 0 },
  xafPerUsdFrom: {
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
