import type * as z from 'zod/mini';
import { dictionaries } from '../../locales/index.ts';
import { Refusal } from './errors.ts';
import { problemsOf } from './issues.ts';

const isKey = (key: string) => Object.hasOwn(dictionaries.en.validation, key);

/** What comes in by no door, judged as a door judges it. Refuses `validation` with its fields. */
export function judged<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true });
  if (!result.success)
    throw new Refusal('validation', {}, problemsOf(result.error.issues as never, isKey));
  return result.data;
}
