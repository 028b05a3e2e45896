import i18next, { type i18n } from 'i18next';
import { withFigures } from './figures.ts';
import { isolate } from './isolate.ts';
import type { Dictionaries, Namespace, Params, Translate } from './keys.ts';
import { defaultLanguage, type Language, languages } from './languages.ts';
import { giveName } from './market.ts';
import type { OwnWords } from './ownWords.ts';

/** Settings that replace the market's own words (product R59). */
export type Branding = { name: string; town: string; words: Partial<Record<Language, OwnWords>> };
const plain: Branding = { name: '', town: '', words: {} };

const files = Object.fromEntries(
  await Promise.all(
    languages.map(async (language) => [
      language,
      ((await import(`./${language}/index.ts`)) as { default: Dictionaries }).default,
    ]),
  ),
) as Record<Language, Dictionaries>;

function branded(language: Language, { name, town, words }: Branding): Dictionaries {
  const own = structuredClone(files[language]);
  const market = name || own.common.brand.name;
  own.common.brand.name = market;
  for (const [key, sentence] of Object.entries(words[language] ?? {})) replace(own, key, sentence);
  return withFigures(own, { market, marketAndTown: town ? `${market}, ${town}` : market });
}

function replace(dictionary: object, key: string, sentence: string): void {
  const path = key.split(/[:.]/);
  const last = path.pop() as string;
  let node = dictionary as Record<string, unknown>;
  for (const part of path) node = node[part] as Record<string, unknown>;
  node[last] = sentence;
}

/** Sentences by `namespace:key`, as they read without words of the operator's own. */
export function cameWith(language: Language): (key: string) => string {
  const dictionary = branded(language, { ...current, words: {} });
  return (key) =>
    key
      .split(/[:.]/)
      .reduce((node, part) => node[part] as never, dictionary as object as Record<string, unknown>)
      .valueOf() as string;
}

let current = plain;
const listeners = new Set<() => void>();
export const branding = (): Branding => current;

/** Calls a function after each change of the branding; returns what ends that. */
export function onBranding(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

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
export function setBranding(wanted: Branding = plain): void {
  if (wanted === current || JSON.stringify(wanted) === JSON.stringify(current)) return;
  current = wanted;
  giveName(wanted.name);
  for (const known of cached) known.clear();
  for (const language of languages) {
    dictionaries[language] = branded(language, wanted);
    for (const [namespace, sentences] of Object.entries(dictionaries[language]))
      instance.addResourceBundle(language, namespace, sentences, false, true);
  }
  for (const listener of listeners) listener();
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
