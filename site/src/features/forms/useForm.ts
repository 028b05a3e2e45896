import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import type * as z from 'zod/mini';
import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { ApiError } from '../../lib/api.ts';
import { type FieldErrors, focusFirstWrong, judge, typedIn, useReady } from '../../lib/form.ts';

type AnySchema = z.ZodMiniType;

export type FormOptions<Schema extends AnySchema> = {
  language: Language;
  validation: Dictionaries['validation'];
  /** The API's schema: its fields name the inputs. */
  schema: Schema;
  /** Values without an input, read on submission, such as a token in the address. */
  also?: () => object;
  /** Sends the values. Returning {@link leaving} keeps the form busy until the page is gone. */
  send: (values: z.input<Schema>) => Promise<unknown>;
  /** Runs on validation errors. */
  onWrong?: (errors: FieldErrors) => void;
  /** Runs when the server refuses. True means handled: the form shows nothing. */
  onRefused?: (error: ApiError, values: z.input<Schema>) => unknown;
};

/** Server's refusal, with the values that were sent. */
export type Refused<Values = unknown> = { code: string; message: string; values: Values };

/** Result of `send` when it leaves the page. */
export const leaving = Symbol('leaving');

/** Question that the server asks first (decision 059); `link` offers a mailed link. */
export type AskedQuestion = { token: string; question: string; link: boolean };
const questionIn = ({ details: { token, question, link } }: ApiError): AskedQuestion | undefined =>
  typeof token === 'string' && typeof question === 'string'
    ? { token, question, link: link === true }
    : undefined;

const nothing: FieldErrors = {};
const isWrong = (errors: FieldErrors) => Object.keys(errors).length > 0;

/**
 * Form validated by the API's schema, then by the server. Errors appear at their fields, and the
 * first wrong field gets the focus; others are in `refused`. Input is never changed, and a busy
 * form cannot be submitted again. Throws errors that are not an `ApiError`.
 */
export function useForm<Schema extends AnySchema>({
  language,
  validation,
  schema,
  also,
  send,
  onWrong,
  onRefused,
}: FormOptions<Schema>) {
  type Values = z.input<Schema>;
  const ref = useRef<HTMLFormElement>(null);
  const ready = useReady();
  const [errors, setErrors] = useState(nothing);
  const [shown, setShown] = useState(0);
  const [refused, setRefused] = useState<Refused<Values>>();
  const [asked, setAsked] = useState<AskedQuestion>();
  const [busy, setBusy] = useState(false);

  // Only on `show`: an error cleared by typing must not move the focus.
  useEffect(() => {
    if (shown > 0) focusFirstWrong(ref.current);
  }, [shown]);

  /** Shows errors and focuses the first. */
  const show = (wrong: FieldErrors) => {
    setErrors(wrong);
    if (isWrong(wrong)) setShown((times) => times + 1);
  };
  /** Validation errors by field. */
  const check = (values: unknown): FieldErrors => {
    const judged = judge(schema, values, language, validation);
    return judged.ok ? nothing : judged.errors;
  };

  const submit = async (values: Values) => {
    if (busy) return;
    const wrong = check(values);
    setRefused(undefined);
    show(wrong);
    if (isWrong(wrong)) return onWrong?.(wrong);
    setBusy(true);
    try {
      if ((await send(values)) === leaving) return;
      setAsked(undefined);
      setBusy(false);
    } catch (error) {
      setBusy(false);
      if (!(error instanceof ApiError)) throw error;
      // Each answer is valid for one request only.
      setAsked(questionIn(error));
      if (onRefused?.(error, values) === true) return;
      show(error.fields);
      setRefused({ code: error.code, message: error.message, values });
    }
  };

  return {
    /** Props of the form element. */
    props: {
      ref,
      // 'post', so that a submission before hydration does not put the values in the address.
      method: 'post',
      noValidate: true,
      onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        void submit({ ...typedIn(event.currentTarget, schema), ...also?.() } as Values);
      },
    },
    /** Props of an input; read-only while sending. */
    field: (name: string) => ({ name, error: errors[name], readOnly: busy }),
    ref,
    /** False until hydration. */
    ready,
    busy,
    errors,
    refused,
    /** Question for the next request, shown by {@link QuestionField}. */
    asked,
    language,
    show,
    check,
    submit,
    /** Clears one field's error. */
    forget: (name: string) =>
      setErrors((now) =>
        name in now
          ? Object.fromEntries(Object.entries(now).filter(([path]) => path !== name))
          : now,
      ),
    /** Clears all messages; input stays. */
    clear: () => {
      setErrors(nothing);
      setRefused(undefined);
      setAsked(undefined);
    },
  };
}

export type Form = Pick<
  ReturnType<typeof useForm>,
  'props' | 'ready' | 'busy' | 'errors' | 'refused' | 'asked' | 'language' | 'field'
>;
