import * as z from 'zod/mini';
import { languages } from '../../locales/languages.ts';
import { isBlank } from '../shared/clean.ts';

/** Characters of one text. */
export const longestText = 30_000;

/** Markdown; the page escapes it. */
const text = z.pipe(
  z.string().check(z.maxLength(longestText)),
  z.transform((given) =>
    isBlank(given) ? '' : given.toWellFormed().replaceAll('\0', '').replaceAll('\r\n', '\n').trim(),
  ),
);
/** A text in both languages, or empty in both: then the market's own holds. */
const both = z.strictObject({ en: text, fr: text }).check(
  z.check(({ value, issues }) => {
    const missing = languages.filter((language) => value[language] === '');
    if (missing.length === 1)
      issues.push({ code: 'custom', message: 'required', input: '', path: [...missing] });
  }),
);

/** `after`: number of the version that the admin saw, 0 for none. */
export const publication = z.strictObject({
  after: z.int().check(z.minimum(0)),
  terms: both,
  privacy: both,
});
export type Publication = z.output<typeof publication>;

export const legalPages = ['terms', 'privacy'] as const;
export const shownText = z.strictObject({ page: z.enum(legalPages) });
export const previewed = z.strictObject({ text });
