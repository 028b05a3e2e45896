import fc from 'fast-check';
import type { Who } from './place.ts';

/** One request before it has cookies and an address. An odd one is a head that is sent as it stands. */
export type Input = {
  name: string;
  who: Who;
  method: string;
  target: string;
  headers: [string, string][];
  body?: Uint8Array | undefined;
  odd?: string;
};

/** One of some, or a stand-in where there are none. */
export const one = <T>(values: readonly T[], otherwise: T): fc.Arbitrary<T> =>
  values.length ? fc.constantFrom(...values) : fc.constant(otherwise);

/** A value as it is written in an address. */
export const escaped = (value: unknown): string =>
  encodeURIComponent(
    (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed(),
  );

export type Body = { type: string; bytes: Uint8Array };
