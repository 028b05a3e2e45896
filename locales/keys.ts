import type admin from './en/admin.json';
import type common from './en/common.json';
import type errors from './en/errors.json';
import type home from './en/home.json';
import type mail from './en/mail.json';
import type seller from './en/seller.json';
import type shop from './en/shop.json';
import type validation from './en/validation.json';

export type Dictionaries = {
  admin: typeof admin;
  common: typeof common;
  errors: typeof errors;
  home: typeof home;
  mail: typeof mail;
  seller: typeof seller;
  shop: typeof shop;
  validation: typeof validation;
};
export type Namespace = keyof Dictionaries;

type Join<P extends string, K extends string> = P extends '' ? K : `${P}.${K}`;
type PluralSuffix = '_zero' | '_one' | '_two' | '_few' | '_many' | '_other';
type WithoutPlural<K extends string> = K extends `${infer Base}${PluralSuffix}` ? Base : K;

/** Dotted paths of a dictionary; plural variants collapse to their base key. */
export type KeysOf<D, P extends string = ''> = {
  [K in keyof D & string]: D[K] extends string ? Join<P, WithoutPlural<K>> : KeysOf<D[K], Join<P, K>>;
}[keyof D & string];

export type Key<N extends Namespace> = KeysOf<Dictionaries[N]>;
export type Params = Record<string, string | number>;
export type Translate<N extends Namespace> = (key: Key<N>, params?: Params) => string;
