import { useEffect, useMemo } from 'react';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Language } from '../../../../locales/languages.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Note } from '../../ui/Note.tsx';
import { Progress } from '../../ui/Progress.tsx';
import { noteWaiting } from './waiting.ts';
import { BasicStep } from './wizard/BasicStep.tsx';
import type { EditedProduct } from './wizard/draft.ts';
import { AlreadySent, DraftElsewhere, DraftFound, Problem, Waiting } from './wizard/Notes.tsx';
import { PaymentStep } from './wizard/PaymentStep.tsx';
import { PhotosStep } from './wizard/PhotosStep.tsx';
import { PriceStep, PricingStep } from './wizard/PricingStep.tsx';
import { Rail } from './wizard/Rail.tsx';
import { ReviewStep } from './wizard/ReviewStep.tsx';
import { SellerStep } from './wizard/SellerStep.tsx';
import { StallPreview } from './wizard/StallPreview.tsx';
import type { StepProps } from './wizard/step.ts';
import { type Step, stepsFor } from './wizard/steps.ts';
import { useDraft } from './wizard/useDraft.ts';
import { useSteps } from './wizard/useSteps.ts';
import { asksPrice, useSubmission } from './wizard/useSubmission.ts';
import type { WizardWords } from './words.ts';
import './wizard.css';

export type WizardProps = {
  language: Language;
  words: WizardWords;
  isAdmin?: boolean;
  sellerId?: string;
  /** Product to change: an own one, or an incomplete one for an admin. */
  product?: EditedProduct;
  /** Draft's owner id; never a name or an address. */
  owner: string;
  links: { done: string; cancel: string; signIn: string };
};

/**
 * Product form in six steps (product §2, §5). Photos upload meanwhile, and the draft stays on the
 * device until submission; a refusal loses nothing.
 */
export default function Wizard({
  language,
  words,
  isAdmin = false,
  sellerId,
  product,
  owner,
  links,
}: WizardProps) {
  const t = useMemo(() => clientTranslator(language, words), [language, words]);
  const steps = useSteps(
    useMemo(() => stepsFor(product), [product]),
    () => {
      submission.clear();
    },
  );
  const draft = useDraft({
    language,
    place: `marche54.draft.${product ? `edit.${product.id}` : isAdmin ? 'admin' : 'seller'}.${owner}`,
    begin: { sellerId: sellerId ?? '', ...product?.answers },
    ownProfile: !isAdmin && !product,
    product,
    connection: words.connection,
    steps,
  });
  const submission = useSubmission({
    language,
    words,
    t,
    isAdmin,
    product,
    done: links.done,
    draft,
    steps,
  });
  const { form, busy, blocked, go } = submission;
  const { step, order } = steps;

  const { place, waits } = draft;
  useEffect(() => {
    if (waits) noteWaiting(place, t('waiting.signOut'));
  }, [waits, place, t]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => draft.open(), []);

  const number = order + 1;
  const onlyPrice = asksPrice(product);
  const nameOf = (which: Step) =>
    t(which === 'pricing' && onlyPrice ? 'steps.price' : `steps.${which}`);
  const common: StepProps = {
    language,
    words,
    t,
    answers: draft.answers,
    errors: submission.errors,
    set: submission.set,
    left: submission.left,
  };

  return (
    <form {...form.props} className="wizard" onSubmit={submission.next}>
      <Rail
        label={t('progress')}
        steps={steps}
        busy={busy}
        nameOf={nameOf}
        onStep={(to) => go(to)}
      />
      <div className="wizard__main">
        <Progress
          label={t('step', { step: number, total: steps.steps.length })}
          value={number}
          max={steps.steps.length}
          text={t('percent', { percent: Math.round((number / steps.steps.length) * 100) })}
        />
        {draft.foundAt !== undefined && !draft.waits && (
          <DraftFound
            {...{ language, t, busy }}
            at={draft.foundAt}
            onDiscard={submission.restart}
          />
        )}
        {draft.elsewhere && (
          <DraftElsewhere
            {...{ language, t, busy }}
            at={draft.elsewhere.updatedAt}
            onTakeUp={draft.takeElsewhere}
          />
        )}
        {product?.remark && step === 'basic' && (
          <Note tone={product.listed && !product.correction ? 'info' : 'wait'}>
            {product.remark}
          </Note>
        )}
        <header>
          <h2 ref={steps.heading} tabIndex={-1}>
            {nameOf(step)}
          </h2>
          <p className="soft">
            {t(step === 'pricing' && onlyPrice ? 'stepText.price' : `stepText.${step}`)}
          </p>
        </header>
        <fieldset className="wizard__fields" disabled={busy || draft.already}>
          {step === 'basic' && <BasicStep {...common} />}
          {step === 'pricing' &&
            (onlyPrice ? (
              <PriceStep {...common} />
            ) : (
              <PricingStep {...common} typeFixed={product !== undefined} />
            ))}
          {step === 'images' && (
            <PhotosStep
              {...common}
              queue={draft.queue}
              state={draft.state}
              lost={draft.lost}
              onLost={draft.photoLost}
            />
          )}
          {step === 'seller' && <SellerStep {...common} choosing={isAdmin && !product} />}
          {step === 'payment' && <PaymentStep {...common} />}
          {step === 'review' && (
            <ReviewStep
              {...common}
              state={draft.state}
              isAdmin={isAdmin}
              product={product}
              goTo={(to) => go(to)}
            />
          )}
        </fieldset>
        <div role="status">
          {draft.waits && !draft.already && (
            <Waiting {...{ language, t }} photos={draft.state.photos} onStop={submission.stop} />
          )}
        </div>
        <div role="alert">
          {draft.already && (
            <AlreadySent t={t} dashboard={links.cancel} onAnother={submission.restart} />
          )}
          {blocked && !draft.already && <Problem t={t} blocked={blocked} signIn={links.signIn} />}
        </div>
        <footer className="wizard__foot">
          {step === 'basic' ? (
            <ButtonLink href={links.cancel}>{t('actions.cancel')}</ButtonLink>
          ) : (
            <Button disabled={busy} onClick={() => go(steps.steps[order - 1] ?? 'basic')}>
              <Icon name="left" />
              {t('actions.back')}
            </Button>
          )}
          <Button
            type="submit"
            variant="primary"
            busy={busy}
            disabled={!form.ready || draft.already}
          >
            {step !== 'review'
              ? t('actions.next')
              : product?.correction || product?.listed
                ? t('actions.save')
                : isAdmin
                  ? t('actions.create')
                  : t('actions.submit')}
            {step !== 'review' && <Icon name="right" />}
          </Button>
          <p className="soft small wizard__kept">
            {t('required')} {t(isAdmin || product ? 'draftKept' : 'draftShared')}
          </p>
          <span className="unseen" role="status">
            {busy && t('actions.submitting')}
          </span>
        </footer>
      </div>
      {step !== 'review' && (
        <div className="wizard__side">
          <StallPreview {...common} photos={draft.state.photos} />
        </div>
      )}
    </form>
  );
}
