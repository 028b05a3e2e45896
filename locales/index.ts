import i18next, { type i18n } from 'i18next';
import { withFigures } from './figures.ts';
import { isolate } from './isolate.ts';
import type { Dictionaries, Namespace, Params, Translate } from './keys.ts';
import { type Language, languages } from './languages.ts';

/** Typed by the English ones: a missing key is a type error. */
export const dictionaries = Object.fromEntries(
  await Promise.all(
    languages.map(async (language) => [
      language,
      withFigures(((await import(`./${language}/index.ts`)) as { default: Dictionaries }).default),
    ]),
  ),
) as Record<Language, Dictionaries>;

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
