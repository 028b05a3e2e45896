import i18next, { type i18n } from 'i18next';
import { withFigures } from './figures.ts';
import { isolate } from './isolate.ts';
import type { Dictionaries, Namespace, Params, Translate } from './keys.ts';
import { defaultLanguage, type Language, languages } from './languages.ts';
import { giveName } from './market.ts';

/** What an operator sets in the place of the market's own words (product R59). */
export type Branding = { name: string };

const files = Object.fromEntries(
  await Promise.all(
    languages.map(async (language) => [
      language,
      ((await import(`./${language}/index.ts`)) as { default: Dictionaries }).default,
    ]),
  ),
) as Record<Language, Dictionaries>;

function branded(language: Language, { name }: Branding): Dictionaries {
  const { common, ...others } = files[language];
  const market = name || common.brand.name;
  return withFigures(
    { ...others, common: { ...common, brand: { ...common.brand, name: market } } },
    market,
  );
}

let current: Branding = { name: '' };
export const branding = (): Branding => current;

/** Typed by the English ones: a missing key is a type error. */
export const dictionaries = Object.fromEntries(
  languages.map((language) => [language, branded(language, current)]),
) as Record<Language, Dictionaries>;

/** As pages, mails and pictures write it. */
export const marketName = (language: Language = defaultLanguage): string =>
  dictionaries[language].common.brand.name;

/** Each language's own name (product §10). */
export const languageNames = Object.fromEntries(
  languages.map((language) => [language, dictionaries[language].common.language.name]),
) as Record<Language, string>;

const instance: i18n = i18next.createInstance();
instance.init({
  resources: dictionaries as never,
  supportedLngs: [...languages],
  fallbackLng: false,
  lng: 'en',
  // Escaped on output (Astro, React, mail templates), never twice.
  interpolation: { escape: isolate },
  initAsync: false,
  // A missing key must fail, not reach a reader as a dotted path.
  saveMissing: true,
  missingKeyHandler: (lngs, ns, key) => {
    throw new Error(`No sentence for ${ns}:${key} in ${lngs.join(', ')}`);
  },
});

const formats = new Map(languages.map((language) => [language, new Intl.NumberFormat(language)]));

/** Groups digits as the language does (`10,000,000`, `10 000 000`). */
const written = (params: Params, language: Language) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'number' ? formats.get(language)?.format(value) : value,
    ]),
  );

const translators = new Map<string, (key: string, params?: Params) => string>();
/** Sentences without parameters, for each translator. */
const cached: Map<string, string>[] = [];

/**
 * Writes the operator's branding into all sentences of this process. Pages are built with a copy of
 * this module, which the middleware keeps in step (site/src/middleware.ts).
 */
export function useBranding(wanted: Branding): void {
  if (wanted === current) return;
  current = wanted;
  giveName(wanted.name);
  for (const known of cached) known.clear();
  for (const language of languages) {
    dictionaries[language] = branded(language, wanted);
    for (const [namespace, sentences] of Object.entries(dictionaries[language]))
      instance.addResourceBundle(language, namespace, sentences, false, true);
  }
}

/**
 * Typed translator (architecture: locales). Caches sentences without parameters: the home page asks
 * for the same nine once per stall.
 */
export function translator<N extends Namespace>(language: Language, namespace: N): Translate<N> {
  const name = `${language} ${namespace}`;
  let translate = translators.get(name);
  if (!translate) {
    const fixed = instance.getFixedT(language, namespace);
    const known = new Map<string, string>();
    cached.push(known);
    translate = (key, params) => {
      if (params)
        return fixed(key, {
          ...(params.count === undefined ? {} : { count: params.count }),
          replace: written(params, language),
        });
      let sentence = known.get(key);
      if (sentence === undefined) {
        sentence = fixed(key);
        known.set(key, sentence);
      }
      return sentence;
    };
    translators.set(name, translate);
  }
  return translate as Translate<N>;
}
