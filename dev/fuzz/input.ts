import fc from 'fast-check';
import type { Who } from './testbed.ts';

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

/** One of the values, or a substitute when there are none. */
export const one = <T>(values: readonly T[], otherwise: T): fc.Arbitrary<T> =>
  values.length ? fc.constantFrom(...values) : fc.constant(otherwise);

/** Escapes a value for an address. */
export const escaped = (value: unknown): string =>
  encodeURIComponent(
    (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed(),
  );

export type Body = { type: string; bytes: Uint8Array };
