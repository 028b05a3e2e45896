import { useSyncExternalStore } from 'react';
import * as z from 'zod/mini';
import { problemsOf } from '../../../api/shared/issues.ts';
import { clientTranslator } from '../../../locales/client.ts';
import type { Dictionaries } from '../../../locales/keys.ts';
import type { Language } from '../../../locales/languages.ts';

export type FieldErrors = Record<string, string>;
export type Judged<Output> = { ok: true; value: Output } | { ok: false; errors: FieldErrors };

/** Validates input with the API's schema, and words errors as the API does. */
export function judge<S extends z.ZodMiniType>(
  schema: S,
  typed: unknown,
  language: Language,
  validation: Dictionaries['validation'],
): Judged<z.output<S>> {
  const result = z.safeParse(schema, typed, { reportInput: true });
  if (result.success) return { ok: true, value: result.data };
  const say = clientTranslator(language, validation);
  const known = (key: string) => key in validation;
  return {
    ok: false,
    errors: Object.fromEntries(
      problemsOf(result.error.issues, known).map(({ path, code, params }) => [
        path,
        say(code, params),
      ]),
    ),
  };
}

/** Focuses the form's first wrong field. A radio group marks itself with `data-wrong`. */
export function focusFirstWrong(form: HTMLElement | null): void {
  form
    ?.querySelector<HTMLElement>(
      ':is(input, textarea, select)[aria-invalid="true"], [data-wrong] input',
    )
    ?.focus();
}

/** Values of the inputs named in the schema; inputs of the form's other modes are left out. */
export function typedIn(form: HTMLFormElement, schema: z.ZodMiniType): Record<string, string> {
  const fields = new Set('shape' in schema ? Object.keys(schema.shape as object) : []);
  const given = [...new FormData(form)].filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(given.filter(([name]) => fields.has(name)));
}

const never = () => () => {};

/** False until the script has hydrated; a form submitted before that would have no handler. */
export function useReady(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/** Writes into an input as typing does, so that React sees the change, controlled or not. */
export function typeInto(input: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
