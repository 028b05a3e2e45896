import type en from './en/index.ts';

export type Dictionaries = typeof en;
export type Namespace = keyof Dictionaries;

type Join<P extends string, K extends string> = P extends '' ? K : `${P}.${K}`;
type PluralSuffix = '_zero' | '_one' | '_two' | '_few' | '_many' | '_other';
type WithoutPlural<K extends string> = K extends `${infer Base}${PluralSuffix}` ? Base : K;

/** Dotted paths; plural variants collapse to their base key. */
export type KeysOf<D, P extends string = ''> = {
  [K in keyof D & string]: D[K] extends string
    ? Join<P, WithoutPlural<K>>
    : KeysOf<D[K], Join<P, K>>;
}[keyof D & string];

export type Key<N extends Namespace> = KeysOf<Dictionaries[N]>;
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
/** From `slotNumber`; a bare number is a type error. */
export type SlotFigures = `${Digit}${Digit}`;
/** Numbers are quantities and get grouped digits; slot numbers, years and references are text. */
export type Params = Record<string, string | number> & { slot?: SlotFigures };
export type Translate<N extends Namespace> = (key: Key<N>, params?: Params) => string;
