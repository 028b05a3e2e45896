import fc from 'fast-check';

export const whoever = ['visitor', 'member', 'seller', 'admin'] as const;
export type Who = (typeof whoever)[number];

/** A request before it has cookies and an address. An odd one is a raw head. */
export type Input = {
  name: string;
  who: Who;
  method: string;
  target: string;
  headers: [string, string][];
  body?: Uint8Array | undefined;
  odd?: string;
};

/** The market's public address: unlike a demo's own, it may be asked for under any name. */
export const origin = 'http://market.test';
/** The word that Prometheus was told. */
export const metricsToken = 'a-word-that-prometheus-was-told';
/** An element that runs a script. No page may contain it outside of an attribute. */
export const script = '<img src=x onerror=owned()>';
/** A text that ends an attribute or a script, if it is not escaped there. */
export const mark = `"'></script>${script}`;

/** One of the values, or a substitute when there are none. */
export const one = <T>(values: readonly T[], otherwise: T): fc.Arbitrary<T> =>
  values.length ? fc.constantFrom(...values) : fc.constant(otherwise);

/** Escapes a value for an address. */
export const escaped = (value: unknown): string =>
  encodeURIComponent(
    (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed(),
  );

export type Body = { type: string; bytes: Uint8Array };
