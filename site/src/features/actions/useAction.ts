import {
  type MutationOptions,
  type QueryClient,
  type QueryKey,
  useMutation,
} from '@tanstack/react-query';
import { newKey } from '../../lib/key.ts';
import { queryClient } from '../../lib/query.ts';
import { sessionLost } from '../../lib/session.ts';
import { toast } from '../../ui/Toaster.tsx';

type ToastOptions = NonNullable<Parameters<typeof toast.success>[1]>;
/** Toast: a title, or with sonner's options; none when falsy. */
type Message =
  | string
  | (ToastOptions & { title: string; tone?: 'success' | 'info' | 'warning' | 'error' })
  | false
  | undefined;

export type Action<Input, Answer> = {
  /**
   * API call, unwrapped. Retried once after a network or server failure, with the same input and
   * idempotency key, so that the second try neither repeats nor conflicts with the first.
   */
  call: (input: Input, key: string) => Promise<Answer>;
  /** Never retries: for calls whose lost answer may have been a success. */
  once?: boolean;
  /** Sign-in address. When the session is over, the page goes there and no other callback runs. */
  signIn?: string;
  /** Toasts. A dialog that stays open shows `error` itself instead. */
  success?: (answer: Answer, input: Input) => Message;
  failure?: (error: Error, input: Input) => Message;
  /** Follow-ups. The action stays pending until a returned promise settles. */
  onDone?: (answer: Answer, input: Input) => unknown;
  onRefused?: (error: Error, input: Input) => unknown;
  /** Recognizes refusals that mean the screen is outdated, as after another admin's action. */
  isOutdated?: (error: Error) => boolean;
  /** Closes the dialog on success, or when outdated. */
  close?: () => void;
  /** Queries to reload on success or when outdated; the action stays pending until then. */
  invalidates?: readonly QueryKey[];
};

function say(message: Message, tone: 'success' | 'error'): void {
  if (!message) return;
  const {
    title,
    tone: own = tone,
    ...options
  } = typeof message === 'string' ? { title: message } : message;
  toast[own](title, options);
}

const keys = new WeakMap<object, string>();
/** Idempotency key shared by all tries: the query client passes them the same object. */
function keyOf(tries: object): string {
  const key = keys.get(tries) ?? newKey();
  keys.set(tries, key);
  return key;
}

/** Options of {@link useAction} for the query client. */
export function actionOptions<Input, Answer>(
  action: Action<Input, Answer>,
  client: QueryClient,
): MutationOptions<Answer, Error, Input> {
  const {
    call,
    once,
    signIn,
    success,
    failure,
    onDone,
    onRefused,
    isOutdated,
    close,
    invalidates = [],
  } = action;
  const readAgain = () =>
    Promise.all(invalidates.map((queryKey) => client.invalidateQueries({ queryKey })));
  return {
    mutationFn: (input, tries) => call(input, keyOf(tries)),
    ...(once ? { retry: false } : {}),
    onSuccess: async (answer, input) => {
      say(success?.(answer, input), 'success');
      close?.();
      await Promise.all([onDone?.(answer, input), readAgain()]);
    },
    onError: async (error, input) => {
      if (signIn !== undefined && sessionLost(error, signIn)) return;
      say(failure?.(error, input), 'error');
      const outdated = isOutdated?.(error) ?? false;
      if (outdated) close?.();
      await Promise.all([onRefused?.(error, input), outdated && readAgain()]);
    },
  };
}

/** User action: one API call, its toasts, and the queries it reloads. */
export function useAction<Answer, Input = void>(action: Action<Input, Answer>) {
  const client = queryClient();
  return useMutation<Answer, Error, Input>(actionOptions(action, client), client);
}
