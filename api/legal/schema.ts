import * as z from 'zod/mini';
import { dataRequestKinds } from '../../db/vocabularies.ts';
import { inEveryLanguage, languages } from '../../locales/languages.ts';
import { isBlank } from '../shared/clean.ts';
import { cleanLine, cleanText, day } from '../shared/fields.ts';

/** Characters of one text. */
export const longestText = 30_000;

/** Markdown; the page escapes it. */
const text = z.string().check(z.maxLength(longestText));
/** A text in every language, or empty in all: then the market's own holds. */
const everyLanguage = z.strictObject(inEveryLanguage(() => text)).check(
  z.check(({ value, issues }) => {
    const missing = languages.filter((language) => isBlank(value[language]));
    const [first] = missing;
    if (first !== undefined && missing.length < languages.length)
      issues.push({ code: 'custom', message: 'required', input: '', path: [first] });
  }),
);

/** `after`: number of the version that the admin saw, 0 for none. */
export const publication = z.strictObject({
  after: z.int().check(z.minimum(0)),
  terms: everyLanguage,
  privacy: everyLanguage,
});
export type Publication = z.output<typeof publication>;

export const legalPages = ['terms', 'privacy'] as const;
export const shownText = z.strictObject({ text: z.enum(legalPages) });
export const previewed = z.strictObject({ text });

/** Days in which the law wants an answer. */
export const answerDays = 30;
export const requestLimits = { person: 200, note: 2000 } as const;
/** `received`: day on which the request came. */
export const newRequest = z.strictObject({
  kind: z.enum(dataRequestKinds),
  person: cleanLine(requestLimits.person, 1),
  received: day,
  note: cleanText(requestLimits.note),
});
export type NewRequest = z.output<typeof newRequest>;
export const closing = z.strictObject({ outcome: cleanText(requestLimits.note, 1) });
export const requestReferred = z.strictObject({ id: z.coerce.number().check(z.int()) });
