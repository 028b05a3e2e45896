import i18next, { type i18n } from 'i18next';
import enAdmin from './en/admin.json';
import enCommon from './en/common.json';
import enErrors from './en/errors.json';
import enHome from './en/home.json';
import enMail from './en/mail.json';
import enSeller from './en/seller.json';
import enShop from './en/shop.json';
import enValidation from './en/validation.json';
import frAdmin from './fr/admin.json';
import frCommon from './fr/common.json';
import frErrors from './fr/errors.json';
import frHome from './fr/home.json';
import frMail from './fr/mail.json';
import frSeller from './fr/seller.json';
import frShop from './fr/shop.json';
import frValidation from './fr/validation.json';
import type { Dictionaries, Namespace, Params, Translate } from './keys.ts';
import { type Language, languages } from './languages.ts';

/** Every dictionary of both languages. The French side is typed by the English one: a missing key stops the compiler. */
export const dictionaries: Record<Language, Dictionaries> = {
  en: { admin: enAdmin, common: enCommon, errors: enErrors, home: enHome, mail: enMail, seller: enSeller, shop: enShop, validation: enValidation },
  fr: { admin: frAdmin, common: frCommon, errors: frErrors, home: frHome, mail: frMail, seller: frSeller, shop: frShop, validation: frValidation },
};

const instance: i18n = i18next.createInstance();
instance.init({
  resources: dictionaries as never,
  supportedLngs: [...languages],
  fallbackLng: false,
  lng: 'en',
  // Output is escaped where it is written (Astro, React, mail templates), never twice.
  interpolation: { escapeValue: false },
  initAsync: false,
  // A key that nobody wrote is a bug and must not reach a reader as a dotted path.
  saveMissing: true,
  missingKeyHandler: (lngs, ns, key) => {
    throw new Error(`No sentence for ${ns}:${key} in ${lngs.join(', ')}`);
  },
});

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
      if (params) return fixed(key, params);
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
