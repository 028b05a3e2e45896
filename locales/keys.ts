import type en from './en/index.ts';

/** Every sentence of a language, as the English one has them. */
export type Dictionaries = typeof en;
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
