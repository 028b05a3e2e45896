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
/** A toast: its sentence alone, or with a description, a tone of its own, a button … Nothing is said where there is none. */
type Message =
  | string
  | (ToastOptions & { title: string; tone?: 'success' | 'info' | 'warning' | 'error' })
  | false
  | undefined;

export type Action<Input, Answer> = {
  /**
   * The typed call, unwrapped. It is made once more when no answer came or the server failed, with the same input and the same key: a verb that takes an idempotency
   * key gets this one, or that of a draft that outlives the page, so that what was done at the first try is not done, or refused, at the second.
   */
  call: (input: Input, key: string) => Promise<Answer>;
  /** The call is never made a second time: where an answer that was lost may have been a yes. */
  once?: boolean;
  /** Where to sign in when the session is over; the page goes there, and nothing of the refusal is said or done here. */
  signIn?: string;
  /** What is said when it is done, and when it is refused. A dialog that stays open shows the refusal itself, from `error`. */
  success?: (answer: Answer, input: Input) => Message;
  failure?: (error: Error, input: Input) => Message;
  /** What else follows. The action stays pending until a promise that is answered here settles. */
  onDone?: (answer: Answer, input: Input) => unknown;
  onRefused?: (error: Error, input: Input) => unknown;
  /** Whether a refusal says that somebody else was faster, so that what is on the screen is no longer so. */
  isOutdated?: (error: Error) => boolean;
  /** Closes the question that the action answers: when it is done, and when the question is outdated. */
  close?: () => void;
  /** The reads that are made anew when it is done, and when it is outdated; the action is pending until they are answered. */
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
/** One key for all tries of an action, by what the query client hands to each of them. */
function keyOf(tries: object): string {
  const key = keys.get(tries) ?? newKey();
  keys.set(tries, key);
  return key;
}

/** What {@link useAction} hands to the query client. */
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

/**
 * Something that people do with a click: one verb of the API, what is said about it, and what is read anew. `mutate` does it, `isPending`
 * and `error` tell how it goes, `reset` forgets the last refusal.
 */
export function useAction<Answer, Input = void>(action: Action<Input, Answer>) {
  const client = queryClient();
  return useMutation<Answer, Error, Input>(actionOptions(action, client), client);
}
