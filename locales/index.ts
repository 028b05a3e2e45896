import i18next, { type i18n } from 'i18next';
import { isolate } from './isolate.ts';
import type { Dictionaries, Namespace, Params, Translate } from './keys.ts';
import { type Language, languages } from './languages.ts';

/** Every dictionary, from the folder of its language. Each is typed by the English one: a missing key stops the compiler. */
export const dictionaries = Object.fromEntries(
  await Promise.all(
    languages.map(async (language) => [
      language,
      ((await import(`./${language}/index.ts`)) as { default: Dictionaries }).default,
    ]),
  ),
) as Record<Language, Dictionaries>;

/** What each language is called in its own words (product §10). */
export const languageNames = Object.fromEntries(
  languages.map((language) => [language, dictionaries[language].common.language.name]),
) as Record<Language, string>;

const instance: i18n = i18next.createInstance();
instance.init({
  resources: dictionaries as never,
  supportedLngs: [...languages],
  fallbackLng: false,
  lng: 'en',
  // Output is escaped for HTML where it is written (Astro, React, mail templates), never twice.
  interpolation: { escape: isolate },
  initAsync: false,
  // A key that nobody wrote is a bug and must not reach a reader as a dotted path.
  saveMissing: true,
  missingKeyHandler: (lngs, ns, key) => {
    throw new Error(`No sentence for ${ns}:${key} in ${lngs.join(', ')}`);
  },
});

const formats = new Map(languages.map((language) => [language, new Intl.NumberFormat(language)]));

/** What fills the placeholders: quantities as a language writes them (`10,000,000`, `10 000 000`), everything else as it is. */
const written = (params: Params, language: Language) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'number' ? formats.get(language)?.format(value) : value,
    ]),
  );

const translators = new Map<string, (key: string, params?: Params) => string>();

/**
 * The sentences of one namespace in one language, with typed keys, interpolation and plural forms (architecture: locales). A sentence
 * without parameters is looked up once: the home page asks for the same nine 54 times.
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
