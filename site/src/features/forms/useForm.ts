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
  /** The schema of the API itself: inputs are named as its fields are. */
  schema: Schema;
  /** What the schema asks for and no input holds, read when the form is sent: a token of the address. */
  also?: () => object;
  /** Sends what was typed, and does what follows. A form that answers {@link leaving} stays busy until the page is gone. */
  send: (values: z.input<Schema>) => Promise<unknown>;
  /** What else follows when something is wrong that the schema can see. */
  onWrong?: (errors: FieldErrors) => void;
  /** What else follows when the server refuses. Who answers true has dealt with it: nothing is shown then. */
  onRefused?: (error: ApiError, values: z.input<Schema>) => unknown;
};

/** What the server refused, in its own sentence, and what had been sent. */
export type Refused<Values = unknown> = { code: string; message: string; values: Values };

/** What `send` answers when it goes to another page. */
export const leaving = Symbol('leaving');

/** A question that the server puts ahead of what was asked for (decision 059), and whether a mailed link is offered with it. */
export type AskedQuestion = { token: string; question: string; link: boolean };
const questionIn = ({ details: { token, question, link } }: ApiError): AskedQuestion | undefined =>
  typeof token === 'string' && typeof question === 'string'
    ? { token, question, link: link === true }
    : undefined;

const nothing: FieldErrors = {};
const isWrong = (errors: FieldErrors) => Object.keys(errors).length > 0;

/**
 * A form: judged here by the schema of the API, then by the server. What is wrong stands at its field in the reader's language, and the
 * first wrong field has the focus; what belongs to no field is `refused`. Nothing that was typed is touched. While it is sent it is `busy`
 * and takes no second submission. Errors that are no refusals are thrown on.
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

  // Only when errors are shown: one that is taken back while its field is being typed in leaves the focus where it is.
  useEffect(() => {
    if (shown > 0) focusFirstWrong(ref.current);
  }, [shown]);

  /** Shows what is wrong at its fields, and goes to the first. */
  const show = (wrong: FieldErrors) => {
    setErrors(wrong);
    if (isWrong(wrong)) setShown((times) => times + 1);
  };
  /** What the schema says about some values, by field. */
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
      // An answer is good for one request.
      setAsked(questionIn(error));
      if (onRefused?.(error, values) === true) return;
      show(error.fields);
      setRefused({ code: error.code, message: error.message, values });
    }
  };

  return {
    /** For the form itself: its inputs are read when it is sent. */
    props: {
      ref,
      // Sent before the script listens, what was typed must not stand in the address.
      method: 'post',
      noValidate: true,
      onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        void submit({ ...typedIn(event.currentTarget, schema), ...also?.() } as Values);
      },
    },
    /** For an input: its name, what is wrong with it, and that it rests while the form is sent. */
    field: (name: string) => ({ name, error: errors[name], readOnly: busy }),
    ref,
    /** False until the page's script listens. */
    ready,
    busy,
    errors,
    refused,
    /** A question to answer with the next request: {@link QuestionField} puts it. */
    asked,
    language,
    show,
    check,
    submit,
    /** Takes back what is said about one field, for instance because it is being typed in. */
    forget: (name: string) =>
      setErrors((now) =>
        name in now
          ? Object.fromEntries(Object.entries(now).filter(([path]) => path !== name))
          : now,
      ),
    /** Takes back everything that is said; what was typed stays. */
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
