import { useMutation, useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type * as z from 'zod/mini';
import { edit, submission } from '../../../../api/products/schema.ts';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Language } from '../../../../locales/languages.ts';
import { ApiError, browserApi, unwrap } from '../../lib/api.ts';
import { leaveFlash } from '../../lib/flash.ts';
import { type FieldErrors, focusFirstWrong, judge, useReady } from '../../lib/form.ts';
import { dateTime } from '../../lib/format.ts';
import { queryClient } from '../../lib/query.ts';
import { storage } from '../../lib/storage.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Note } from '../../ui/Note.tsx';
import { Progress } from '../../ui/Progress.tsx';
import { BasicStep } from './wizard/BasicStep.tsx';
import {
  type AnswerName,
  type Answers,
  changedAnswers,
  type EditedProduct,
  emptyAnswers,
  newKey,
  ownPhotos,
  readDraft,
  rememberSubmitted,
  stillThere,
  toEdit,
  toSubmission,
  wasSubmitted,
} from './wizard/draft.ts';
import { keepPhotos } from './wizard/keep.ts';
import { PaymentStep } from './wizard/PaymentStep.tsx';
import { PhotosStep } from './wizard/PhotosStep.tsx';
import { PriceStep, PricingStep } from './wizard/PricingStep.tsx';
import { photoQueue } from './wizard/photos.ts';
import { ReviewStep } from './wizard/ReviewStep.tsx';
import { SellerStep } from './wizard/SellerStep.tsx';
import { StallPreview } from './wizard/StallPreview.tsx';
import type { StepProps } from './wizard/step.ts';
import { steps as allSteps, editSteps, mayLeave, problemsOn, type Step, stepOf } from './wizard/steps.ts';
import type { WizardWords } from './words.ts';
import './wizard.css';

export type WizardProps = {
  language: Language;
  words: WizardWords;
  /** An admin's product is approved at once. */
  isAdmin?: boolean;
  /** For admins: on whose behalf, to begin with. */
  sellerId?: string;
  /** An own product that is changed, in place of a new one. */
  product?: EditedProduct;
  /** Whose draft is kept on this device: an id, never a name or an address. */
  owner: string;
  links: { done: string; cancel: string; signIn: string };
};

const nothing: FieldErrors = {};
const noPhotos: EditedProduct['photos'] = [];

/**
 * The six steps to a product (product §2, §5), for sellers and admins. What is typed and which photos were chosen is kept on the
 * device until the product is submitted; photos are on their way while the next steps are filled in; a refusal loses nothing.
 */
export default function Wizard({ language, words, isAdmin = false, sellerId, product, owner, links }: WizardProps) {
  const t = useMemo(() => clientTranslator(language, words), [language, words]);
  const api = useMemo(() => browserApi(language), [language]);
  const ready = useReady();
  const steps = product ? editSteps : allSteps;
  const place = `marche54.draft.${product ? `edit.${product.id}` : isAdmin ? 'admin' : 'seller'}.${owner}`;

  const [start, setStart] = useState<Answers>({ ...emptyAnswers, sellerId: sellerId ?? '', ...product?.answers });
  const [answers, setAnswers] = useState(start);
  const [step, setStep] = useState<Step>('basic');
  const [errors, setErrors] = useState(nothing);
  const [blocked, setBlocked] = useState<{ title?: string; text: string; signIn?: boolean }>();
  const [foundAt, setFoundAt] = useState<number>();
  const [lost, setLost] = useState(false);
  const [restored, setRestored] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const [already, setAlready] = useState(false);
  const key = useRef('');
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  const [keep] = useState(() => keepPhotos(place));
  const [queue] = useState(() =>
    photoQueue({
      language,
      keep,
      // Only tidiness: what is not given back is thrown away after a day. The product's own photos stay its own until the change is made.
      discard: (id) => {
        if ((product?.photos ?? noPhotos).every((photo) => photo.id !== id)) unwrap(api.uploads[':id'].$delete({ param: { id } }), '').catch(() => {});
      },
    }),
  );
  const state = useSyncExternalStore(queue.subscribe, queue.read, queue.read);
  const { photos } = state;

  const me = useQuery({ queryKey: ['me'], queryFn: () => unwrap(api.auth.me.$get(), words.connection), enabled: !isAdmin && !product }, queryClient());

  const takeUp = async () => {
    const draft = readDraft(storage, place, Date.now());
    key.current = draft?.key ?? newKey();
    if (draft) {
      setLost(await queue.restore(product ? stillThere(draft.photos, product) : draft.photos));
      setFoundAt(draft.at);
      setStep(steps[draft.step] ?? 'basic');
      window.history.replaceState({ step: steps[draft.step] ?? 'basic' }, '');
    } else {
      // A draft that was given up long ago may have left its photos.
      await keep.clear();
      if (product) await queue.restore(ownPhotos(product));
    }
    return draft?.answers;
  };

  // The draft of the last visit, and what was typed before this script arrived.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    const early = Object.fromEntries(
      // A field as the server wrote it was typed by nobody: it must not stand over the draft.
      [...new FormData(form.current ?? undefined)].filter(
        ([name, value]) => name in emptyAnswers && typeof value === 'string' && value !== '' && value !== String(start[name as AnswerName]),
      ),
    ) as Partial<Answers>;
    void takeUp().then((kept) => {
      // What was typed while the draft was being read is newer than the draft.
      const old = Object.entries({ ...kept, ...early }) as [AnswerName, never][];
      setAnswers((now) => ({ ...now, ...Object.fromEntries(old.filter(([name]) => now[name] === start[name])) }));
      setRestored(true);
    });
    const online = () => queue.retryAll();
    // Back from the dashboard to the page as it was left: it was submitted, the next product begins.
    const shown = (event: PageTransitionEvent) => event.persisted && wasSubmitted(storage, key.current) && window.location.reload();
    window.addEventListener('online', online);
    window.addEventListener('pageshow', shown);
    return () => {
      window.removeEventListener('online', online);
      window.removeEventListener('pageshow', shown);
    };
  }, []);

  // Another tab works on the same draft: a tab where nothing was done yet goes on from there, and none sends it a second time.
  const pristine = useRef(true);
  useEffect(() => {
    const heard = (event: StorageEvent) => {
      if (wasSubmitted(storage, key.current)) setAlready(true);
      else if (event.key === place && event.newValue && pristine.current) void takeUp().then((kept) => setAnswers((now) => ({ ...now, ...kept })));
    };
    window.addEventListener('storage', heard);
    return () => window.removeEventListener('storage', heard);
  });

  // The profile fills what is still empty.
  useEffect(() => {
    const seller = me.data?.seller;
    if (!seller || !restored) return;
    const known = {
      sellerName: seller.name,
      sellerWhatsapp: seller.whatsapp ?? '',
      sellerLocation: seller.location ?? '',
      businessName: seller.businessName ?? '',
    };
    setStart((now) => ({ ...now, ...known }));
    setAnswers((now) => ({
      ...now,
      sellerName: now.sellerName || known.sellerName,
      sellerWhatsapp: now.sellerWhatsapp || known.sellerWhatsapp,
      sellerLocation: now.sellerLocation || known.sellerLocation,
      businessName: now.businessName || known.businessName,
    }));
  }, [me.data, restored]);

  // Kept on the device with every change (decision: a dropped line or a closed page loses nothing).
  useEffect(() => {
    if (!restored) return;
    const changed = changedAnswers(answers, start);
    const kept = photos.map(({ key: name_, id, copy, name, size, was, sentAt }) => ({
      ...{ key: name_, name, size, was },
      ...(id && copy && sentAt ? { id, src: copy, sentAt } : {}),
    }));
    // A change begins with the photos that are there: as long as they are the same, nothing is changed.
    const photosChanged = photos.map((photo) => photo.id ?? photo.key).join() !== (product?.photos ?? noPhotos).map(({ id }) => id).join();
    pristine.current = Object.keys(changed).length === 0 && !photosChanged;
    if (wasSubmitted(storage, key.current)) return;
    if (pristine.current) storage.remove(place);
    else storage.set(place, JSON.stringify({ answers: changed, step: steps.indexOf(step), photos: kept, key: key.current, at: Date.now() }));
  }, [answers, start, photos, step, steps, product, restored, place]);

  // The phone's own Back button goes back a step.
  useEffect(() => {
    const back = (event: PopStateEvent) => {
      const to: unknown = event.state?.step;
      setErrors(nothing);
      setBlocked(undefined);
      setStep(allSteps.find((known) => known === to) ?? 'basic');
    };
    window.addEventListener('popstate', back);
    return () => window.removeEventListener('popstate', back);
  }, []);

  useEffect(() => {
    if (Object.keys(errors).length > 0) focusFirstWrong(form.current);
  }, [errors]);

  // Photos answer the sentence that asked for them.
  useEffect(() => {
    if (photos.length === 0) return;
    setErrors((now) => ('images' in now ? nothing : now));
    setBlocked(undefined);
  }, [photos.length]);

  const set: StepProps['set'] = (name, value) => {
    setAnswers((now) => ({ ...now, [name]: value }));
    setBlocked(undefined);
    setErrors((now) => (name in now ? Object.fromEntries(Object.entries(now).filter(([path]) => path !== name)) : now));
  };

  const judged = useCallback(
    (images: string[]) =>
      product ? judge(edit, toEdit(answers, images), language, words.validation) : judge(submission, toSubmission(answers, images), language, words.validation),
    [answers, language, words, product],
  );
  const problems = useMemo((): FieldErrors => {
    const result = judged([]);
    return result.ok ? nothing : result.errors;
  }, [judged]);

  // A field that was left with a wrong value says so at once, without taking the reader back to it.
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const left = (name: AnswerName) => setSeen((now) => (now.has(name) ? now : new Set([...now, name])));
  const shownErrors = useMemo(() => {
    const result: FieldErrors = { ...errors };
    for (const name of seen) {
      const problem = problems[name];
      if (problem && !(name in result) && String(answers[name as AnswerName] ?? '').trim() !== '') result[name] = problem;
    }
    return result;
  }, [errors, seen, problems, answers]);

  const goTo = (to: Step, wrong: FieldErrors = nothing) => {
    if (to !== step) window.history.pushState({ step: to }, '');
    setStep(to);
    setErrors(wrong);
    setBlocked(undefined);
    setFoundAt(undefined);
    if (Object.keys(wrong).length === 0) requestAnimationFrame(() => heading.current?.focus());
  };

  const submit = useMutation(
    {
      networkMode: 'always',
      // The key makes a second try the same product (product R34).
      retry: (failures: number, error: Error) => failures < 1 && error instanceof ApiError && error.status === 0,
      mutationFn: (images: string[]): Promise<{ id: string; outcome?: string }> =>
        product
          ? unwrap(api.products[':id'].$put({ param: { id: product.id }, json: toEdit(answers, images) }), words.failed.text)
          : unwrap(
              api.products.$post({ json: toSubmission(answers, images) as z.input<typeof submission>, header: { 'idempotency-key': key.current } }),
              words.failed.text,
            ),
      onSuccess: async ({ id, outcome }) => {
        rememberSubmitted(storage, key.current);
        storage.remove(place);
        await keep.clear();
        leaveFlash(
          outcome === 'waiting'
            ? { tone: 'success', title: t('changeSent') }
            : { tone: 'success', title: t('success.title'), text: isAdmin ? t('success.admin') : t('success.seller') },
        );
        const to = new URL(links.done, window.location.href);
        to.searchParams.set('listed', id);
        window.location.assign(to);
      },
      onError: (error) => {
        if (!(error instanceof ApiError)) return;
        // The first try arrived although its answer did not: this is the same product with other words.
        if (error.code === 'idempotencyMismatch') setAlready(true);
        else refuse(error);
      },
    },
    queryClient(),
  );

  /** Goes to the first step that something is wrong on, and says what. */
  const toWrong = (wrong: FieldErrors, otherwise: string) => {
    const first = steps.find((candidate) => Object.keys(wrong).some((path) => stepOf(path) === candidate)) ?? 'review';
    goTo(first, wrong);
    const onlyCategory = 'category' in wrong && Object.keys(problemsOn('basic', wrong)).length === 0;
    setBlocked({ text: first === 'basic' && onlyCategory ? t('blocked.category') : otherwise });
  };

  const refuse = (error: ApiError) => {
    if (Object.keys(error.fields).length > 0) return toWrong(error.fields, error.message);
    if (error.code === 'uploads.notFound') {
      goTo('images');
      // The device still has them: by the next try they are on their way again.
      for (const photo of photos)
        if (!(product?.photos ?? noPhotos).some(({ id }) => id === photo.id)) void queue.sendAgain(photo.key).then((kept) => kept || setLost(true));
    }
    const text = error.status === 0 ? words.failed.kept : error.message;
    setBlocked({ title: t('failed.title'), text: text || t('failed.text'), signIn: error.status === 401 });
  };

  const send = async () => {
    if (wasSubmitted(storage, key.current)) return setAlready(true);
    setWaiting(true);
    // What broke on the way gets another chance by itself.
    queue.retryAll();
    const sent = await queue.settled();
    setWaiting(false);
    if (wasSubmitted(storage, key.current)) return setAlready(true);
    const broken = sent.findIndex((photo) => photo.state !== 'sent');
    if (broken >= 0) {
      goTo('images');
      setBlocked({ text: sent[broken]?.problem ?? t('images.uploadFailed', { number: broken + 1 }) });
      return;
    }
    const images = sent.flatMap(({ id }) => (id ? [id] : []));
    const result = judged(images);
    if (result.ok) submit.mutate(images);
    else toWrong(result.errors, t('failed.text'));
  };

  const busy = submit.isPending || submit.isSuccess || waiting;
  const next = (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    if (step === 'review') {
      void send();
      return;
    }
    const wrong = problems;
    if (!mayLeave(step, answers, photos.length)) {
      const here = Object.fromEntries(Object.entries(wrong).filter(([path]) => stepOf(path) === step && path !== 'category'));
      setErrors(here);
      setBlocked({ text: t(step === 'pricing' && product ? 'blocked.price' : `blocked.${step}`) });
      return;
    }
    const here = problemsOn(step, wrong);
    if (Object.keys(here).length > 0) {
      setErrors(here);
      return;
    }
    goTo(steps[steps.indexOf(step) + 1] ?? 'review');
  };

  const restart = () => {
    // The photos of a draft that was submitted are the product's now.
    queue.clear(!already);
    setAlready(false);
    if (product) void queue.restore(ownPhotos(product));
    storage.remove(place);
    key.current = newKey();
    setAnswers(start);
    setLost(false);
    setSeen(new Set());
    goTo('basic');
  };

  const number = steps.indexOf(step) + 1;
  const nameOf = (which: Step) => t(which === 'pricing' && product ? 'steps.price' : `steps.${which}`);
  const common: StepProps = { language, words, t, answers, errors: shownErrors, set, left };

  return (
    <form ref={form} className="wizard" method="post" noValidate onSubmit={next}>
      <ol className="wizard__rail" aria-label={t('progress')}>
        {steps.map((name, order) => (
          <li key={name} data-done={order + 1 < number ? true : undefined} aria-current={name === step ? 'step' : undefined}>
            <span aria-hidden="true">{order + 1 < number ? <Icon name="check" /> : order + 1}</span>
            {order + 1 < number && !busy ? (
              <button type="button" onClick={() => goTo(name)}>
                {nameOf(name)}
              </button>
            ) : (
              nameOf(name)
            )}
          </li>
        ))}
      </ol>
      <div className="wizard__main">
        <Progress
          label={t('step', { step: number, total: steps.length })}
          value={number}
          max={steps.length}
          text={t('percent', { percent: Math.round((number / steps.length) * 100) })}
        />
        {foundAt !== undefined && (
          <Note
            action={
              <Button compact disabled={busy} onClick={restart}>
                {t('draftDiscard')}
              </Button>
            }
          >
            {t('draftFound', { date: dateTime(foundAt, language) })}
          </Note>
        )}
        {product?.remark && step === 'basic' && <Note tone={product.listed ? 'info' : 'wait'}>{product.remark}</Note>}
        <header>
          <h2 ref={heading} tabIndex={-1}>
            {nameOf(step)}
          </h2>
          <p className="soft">{t(step === 'pricing' && product ? 'stepText.price' : `stepText.${step}`)}</p>
        </header>
        <fieldset className="wizard__fields" disabled={busy || already}>
          {step === 'basic' && <BasicStep {...common} />}
          {step === 'pricing' && (product ? <PriceStep {...common} /> : <PricingStep {...common} />)}
          {step === 'images' && <PhotosStep {...common} queue={queue} state={state} lost={lost} onLost={() => setLost(true)} />}
          {step === 'seller' && <SellerStep {...common} choosing={isAdmin} />}
          {step === 'payment' && <PaymentStep {...common} />}
          {step === 'review' && <ReviewStep {...common} state={state} isAdmin={isAdmin} product={product} goTo={(to) => goTo(to)} />}
        </fieldset>
        <div role="alert">
          {already && (
            <Note
              tone="wait"
              title={t('failed.already')}
              action={
                <span className="row">
                  <ButtonLink compact variant="primary" href={links.cancel}>
                    {t('success.toDashboard')}
                  </ButtonLink>
                  <Button compact onClick={restart}>
                    {t('success.another')}
                  </Button>
                </span>
              }
            >
              {t('failed.alreadyText')}
            </Note>
          )}
          {blocked && !already && (
            <Note
              tone="bad"
              title={blocked.title}
              action={
                blocked.signIn && (
                  <ButtonLink compact href={links.signIn}>
                    {t('signIn')}
                  </ButtonLink>
                )
              }
            >
              {blocked.text}
            </Note>
          )}
        </div>
        <footer className="wizard__foot">
          {step === 'basic' ? (
            <ButtonLink href={links.cancel}>{t('actions.cancel')}</ButtonLink>
          ) : (
            <Button disabled={busy} onClick={() => goTo(steps[number - 2] ?? 'basic')}>
              <Icon name="left" />
              {t('actions.back')}
            </Button>
          )}
          <Button type="submit" variant="primary" busy={busy} disabled={!ready || already}>
            {step !== 'review' ? t('actions.next') : isAdmin ? t('actions.create') : product?.listed ? t('actions.save') : t('actions.submit')}
            {step !== 'review' && <Icon name="right" />}
          </Button>
          <p className="soft small wizard__kept">
            {t('required')} {t('draftKept')}
          </p>
          <span className="unseen" role="status">
            {busy && t('actions.submitting')}
          </span>
        </footer>
      </div>
      {step !== 'review' && (
        <aside className="wizard__side">
          <StallPreview {...common} photos={photos} />
        </aside>
      )}
    </form>
  );
}
