import { type SubmitEvent, useEffect, useMemo, useRef, useState } from 'react';
import type * as z from 'zod/mini';
import { correction, edit, submission } from '../../../../../api/products/schema.ts';
import type { Language } from '../../../../../locales/languages.ts';
import { type ApiError, browserApi, unwrap } from '../../../lib/api.ts';
import { leaveFlash } from '../../../lib/flash.ts';
import type { FieldErrors } from '../../../lib/form.ts';
import { sessionMark } from '../../../lib/mark.ts';
import { useAction } from '../../actions/useAction.ts';
import { leaving, useForm } from '../../forms/useForm.ts';
import type { WizardWords } from '../words.ts';
import {
  type AnswerName,
  type EditedProduct,
  toCorrection,
  toEdit,
  toSubmission,
} from './draft.ts';
import type { StepProps } from './step.ts';
import { atShownFields, mayLeave, problemsOn, type Step, stepOf } from './steps.ts';
import type { WizardDraft } from './useDraft.ts';
import type { Steps } from './useSteps.ts';

type Options = {
  language: Language;
  words: WizardWords;
  t: StepProps['t'];
  isAdmin: boolean;
  product: EditedProduct | undefined;
  done: string;
  draft: WizardDraft;
  steps: Steps;
  /** Number of the newest try; a step away makes it an old one, which does nothing more. */
  tries: { current: number };
};

/** False once another person has signed in: this page is about to be reloaded. */
const isOwnSession = (): boolean => {
  const { whose } = document.documentElement.dataset;
  return whose === undefined || whose === sessionMark();
};

/** Asks for the price alone: the duration is fixed. */
export const asksPrice = (product: EditedProduct | undefined): boolean =>
  product !== undefined && !product.correction?.asks.duration;

export type Blocked = { title?: string; text: string; signIn?: boolean };

const nothing: FieldErrors = {};
const isEmpty = (errors: FieldErrors) => Object.keys(errors).length === 0;

type Correction = NonNullable<EditedProduct['correction']>;
type Sent = { id: string; outcome?: string };

/** Sends a new product, a change, or an admin's correction. */
const sending =
  (
    api: ReturnType<typeof browserApi>,
    { product, draft, words }: Pick<Options, 'product' | 'draft' | 'words'>,
  ) =>
  (json: object): Promise<Sent> => {
    const { text } = words.failed;
    if (!product) {
      const header = { 'idempotency-key': draft.key() };
      return unwrap(api.products.$post({ json: json as z.input<typeof submission>, header }), text);
    }
    const param = { id: product.id };
    return product.correction
      ? unwrap(
          api.admin.products[':id'].$put({ param, json: json as z.input<typeof correction> }),
          text,
        )
      : unwrap(api.products[':id'].$put({ param, json: json as z.input<typeof edit> }), text);
  };

/** Returns the message that the next page shows. */
function flashOf(
  { t, isAdmin }: Pick<Options, 't' | 'isAdmin'>,
  asked: Correction | undefined,
  outcome: string | undefined,
): Parameters<typeof leaveFlash>[0] {
  if (asked) return { tone: 'success', title: t('corrected'), text: t('correctedText') };
  if (outcome === 'waiting') return { tone: 'success', title: t('changeSent') };
  return {
    tone: 'success',
    title: t('success.title'),
    text: isAdmin ? t('success.admin') : t('success.seller'),
  };
}

/** Returns the moves to another step: by choice, to the first wrong field, after a refusal. */
function waysOf(
  { draft, steps, words, t, product, isAdmin, tries }: Options,
  form: Pick<ReturnType<typeof useForm>, 'show'>,
  setBlocked: (blocked: Blocked | undefined) => void,
) {
  const go = (to: Step, wrong = nothing) => {
    tries.current += 1;
    steps.go(to, isEmpty(wrong));
    form.show(wrong);
    setBlocked(undefined);
    draft.dismissFound();
    if (draft.waits) draft.wait(false);
  };
  const goToWrong = (wrong: FieldErrors, otherwise: string) => {
    const first =
      steps.steps.find((candidate) =>
        Object.keys(wrong).some((path) => stepOf(path) === candidate),
      ) ?? 'review';
    go(first, wrong);
    const onlyCategory = 'category' in wrong && isEmpty(problemsOn('basic', wrong));
    setBlocked({ text: first === 'basic' && onlyCategory ? t('blocked.category') : otherwise });
  };
  const refuse = (error: ApiError, isNewest: boolean) => {
    const { status } = error;
    // The first try arrived without an answer.
    if (error.code === 'idempotencyMismatch') {
      draft.wait(false);
      return draft.sayAlready();
    }
    if (!isEmpty(error.fields)) return goToWrong(error.fields, error.message);
    if (error.code === 'uploads.notFound') {
      go('images');
      draft.sendPhotosAgain();
    }
    if (status === 0 && !product && !isAdmin) return isNewest && draft.wait(true);
    if (draft.waits && (status === 429 || status >= 500)) return;
    if (draft.waits) draft.wait(false);
    const text = status === 0 ? words.failed.kept : error.message;
    setBlocked({
      title: t('failed.title'),
      text: text || t('failed.text'),
      signIn: status === 401,
    });
  };
  return { go, goToWrong, refuse };
}

/** Validates and sends the whole product. */
function useProductForm(options: Options, setBlocked: (blocked: Blocked | undefined) => void) {
  const { language, words, product, done, draft, t } = options;
  const api = useMemo(() => browserApi(language), [language]);
  const asked = product?.correction;
  const sent = useRef(0);
  const schema: z.ZodMiniType<unknown, object> = asked ? correction : product ? edit : submission;
  const { mutateAsync } = useAction({
    call: sending(api, options),
    // A try whose answer was lost may have succeeded; repeated, it would look like another admin's
    // change.
    once: asked !== undefined,
  });
  const form = useForm({
    language,
    validation: words.validation,
    schema,
    send: async (json) => {
      sent.current = options.tries.current;
      const { id, outcome } = await mutateAsync(json);
      await draft.finish();
      leaveFlash(flashOf(options, asked, outcome));
      const to = new URL(done, window.location.href);
      if (!asked) to.searchParams.set('listed', id);
      window.location.assign(to);
      return leaving;
    },
    onWrong: (wrong) => ways.goToWrong(wrong, t('failed.text')),
    onRefused: (error) => {
      ways.refuse(error, sent.current === options.tries.current);
      return true;
    },
  });
  const ways = waysOf(options, form, setBlocked);
  const given = (images: string[]): object =>
    asked
      ? toCorrection(draft.answers, images, asked)
      : product
        ? toEdit(draft.answers, images)
        : toSubmission(draft.answers, images);
  return { form, given, ...ways };
}

/** Sends the photos, then the product. Without a network, a new product waits for one. */
function useSubmit(
  { draft, t, product, isAdmin, tries }: Options,
  { form, given, go, goToWrong }: ReturnType<typeof useProductForm>,
  setBlocked: (blocked: Blocked | undefined) => void,
) {
  const [waiting, setWaiting] = useState(false);
  const submit = async () => {
    if (draft.isSubmitted()) return draft.sayAlready();
    tries.current += 1;
    const own = tries.current;
    const { length } = draft.queue.read().photos;
    setWaiting(true);
    draft.queue.retryAll();
    const sent = await draft.queue.settled();
    setWaiting(false);
    if (own !== tries.current || !isOwnSession()) return;
    if (draft.isSubmitted()) return draft.sayAlready();
    // The server refused one: its owner decides whether the product goes without it.
    if (sent.length < length) return go('images');
    const broken = sent.findIndex((photo) => photo.state !== 'sent');
    const { problem, busy } = sent[broken] ?? {};
    if (broken >= 0 && !product && !isAdmin && (!problem || (busy && draft.waits))) {
      const { images: _, ...wrong } = form.check(given([]));
      return isEmpty(wrong) ? draft.wait(true) : goToWrong(wrong, t('failed.text'));
    }
    if (broken >= 0) {
      go('images');
      setBlocked({
        text: problem ?? t('images.uploadFailed', { number: broken + 1 }),
      });
      return;
    }
    await form.submit(given(sent.flatMap(({ id }) => (id ? [id] : []))));
  };
  return { waiting, submit };
}

/** Waits between two tries of a draft that waits: phones often do not notice their network. */
const [firstWaitMs, longestWaitMs] = [30_000, 15 * 60_000];

/** Submits a draft that waits, once there is a network: at a visit, an event, or in a while. */
function useWaiting({ draft, steps }: Options, busy: boolean, submit: () => Promise<void>): void {
  const waits = draft.already ? undefined : draft.waits;
  const latest = useRef({ ready: false, draft, submit });
  latest.current = { ready: !busy && steps.step === 'review', draft, submit };
  useEffect(() => {
    if (!waits) return;
    let timer: ReturnType<typeof setTimeout>;
    const send = () => {
      const { ready, draft, submit } = latest.current;
      if (!navigator.onLine || !ready || !isOwnSession() || !draft.stillWaits()) return;
      // One tab alone, or each would send the photos.
      if ('locks' in navigator)
        void navigator.locks.request('marche54.send', { ifAvailable: true }, (lock) =>
          lock ? submit() : undefined,
        );
      else void submit();
    };
    const inAWhile = (waitMs: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        send();
        inAWhile(Math.min(2 * waitMs, longestWaitMs));
      }, waitMs);
    };
    const online = () => {
      send();
      inAWhile(firstWaitMs);
    };
    if (waits === 'found') online();
    else inAWhile(firstWaitMs);
    window.addEventListener('online', online);
    return () => {
      window.removeEventListener('online', online);
      clearTimeout(timer);
    };
  }, [waits]);
}

/** Validates steps and submits: photos, then the product. */
export function useSubmission(wizard: Omit<Options, 'tries'>) {
  const options: Options = { ...wizard, tries: useRef(0) };
  const { t, product, draft, steps, tries } = options;
  const { answers } = draft;
  const { photos } = draft.state;
  const { step } = steps;
  const [blocked, setBlocked] = useState<Blocked>();
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const whole = useProductForm(options, setBlocked);
  const { form, given, go } = whole;
  const { waiting, submit } = useSubmit(options, whole, setBlocked);

  // Adding or removing a photo answers the message about photos.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever there is one more or one less
  useEffect(() => {
    if (photos.length === 0) return;
    form.forget('images');
    setBlocked(undefined);
  }, [photos.length]);

  const problems = atShownFields(form.check(given([])), answers);
  // Shows the error of a left field at once, without moving the focus.
  const errors = { ...atShownFields(form.errors, answers) };
  for (const name of seen) {
    const problem = problems[name];
    if (problem && !(name in errors) && String(answers[name as AnswerName] ?? '').trim() !== '')
      errors[name] = problem;
  }

  const busy = form.busy || waiting;
  useWaiting(options, busy, submit);
  return {
    form,
    busy,
    blocked,
    errors,
    go,
    set: ((name, value) => {
      draft.set(name, value);
      setBlocked(undefined);
      form.forget(name);
      // The English repeats it.
      if (answers.sameText) form.forget(name.replace(/\.fr$/, '.en'));
    }) satisfies StepProps['set'] as StepProps['set'],
    left: (name: AnswerName) => setSeen((now) => (now.has(name) ? now : new Set([...now, name]))),
    clear() {
      form.clear();
      setBlocked(undefined);
      tries.current += 1;
      if (draft.waits) draft.wait(false);
    },
    /** Ends the waiting for a network, and a try that is under way. */
    stop() {
      tries.current += 1;
      draft.wait(false);
    },
    restart() {
      draft.restart();
      setSeen(new Set());
      go('basic');
    },
    next(event: SubmitEvent) {
      event.preventDefault();
      if (busy) return;
      if (step === 'review') {
        void submit();
        return;
      }
      if (!mayLeave(step, answers, photos.length)) {
        form.show(
          Object.fromEntries(
            Object.entries(problems).filter(
              ([path]) => stepOf(path) === step && path !== 'category',
            ),
          ),
        );
        setBlocked({
          text: t(step === 'pricing' && asksPrice(product) ? 'blocked.price' : `blocked.${step}`),
        });
        return;
      }
      const here = problemsOn(step, problems);
      if (isEmpty(here)) go(steps.steps[steps.order + 1] ?? 'review');
      else form.show(here);
    },
  };
}
