import type * as z from 'zod/mini';
import { dictionaries } from '../../locales/index.ts';
import { Refusal } from './errors.ts';
import { problemsOf } from './issues.ts';

const isKey = (key: string) => Object.hasOwn(dictionaries.en.validation, key);

/** Validates input that came through no route; refuses `validation`. */
export function judged<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true });
  if (!result.success)
    throw new Refusal('validation', {}, problemsOf(result.error.issues as never, isKey));
  return result.data;
}
