import { type Answers, type EditedProduct, priceOf } from './draft.ts';

/** The six steps (product §2 /admin/products/upload). */
export const steps = ['basic', 'pricing', 'images', 'seller', 'payment', 'review'] as const;
export type Step = (typeof steps)[number];
/** A change leaves the payment method as it was. */
export function stepsFor(product?: Pick<EditedProduct, 'correction'>): readonly Step[] {
  const asks = product?.correction?.asks;
  return product
    ? steps.filter((step) =>
        step === 'payment' ? asks?.payment : step !== 'images' || (asks?.photos ?? true),
      )
    : steps;
}

/** Allows leaving a step (product §5 Wizard step gating). Submission checks the category. */
export function mayLeave(step: Step, answers: Answers, photos: number): boolean {
  const given = (text: string) => text.trim() !== '';
  switch (step) {
    case 'basic': {
      const language = answers.sameText ? 'fr' : 'en';
      return given(answers[`name.${language}`]) && given(answers[`description.${language}`]);
    }
    case 'pricing':
      return (priceOf(answers.price) ?? 0) > 0 && answers.durationHours > 0;
    case 'images':
      return photos >= 1;
    case 'seller':
      return (
        given(answers.sellerName) && given(answers.sellerWhatsapp) && given(answers.sellerLocation)
      );
    case 'payment':
      return answers.paymentMethod !== '';
    case 'review':
      return true;
  }
}

const fields: Record<Step, readonly string[]> = {
  basic: [
    'name.en',
    'name.fr',
    'description.en',
    'description.fr',
    'writtenIn',
    'category',
    'condition',
  ],
  pricing: ['price', 'durationHours', 'listingType', 'preferredFeaturedSlot'],
  images: ['images'],
  seller: ['sellerId', 'sellerName', 'sellerWhatsapp', 'sellerLocation', 'businessName'],
  payment: ['paymentMethod'],
  review: [],
};

/** Step of a field; `images.2` belongs to `images`. */
export function stepOf(path: string): Step {
  return (
    steps.find((step) =>
      fields[step].some((field) => path === field || path.startsWith(`${field}.`)),
    ) ?? 'review'
  );
}

/** Errors of the English, which is not shown while it repeats the French, at the French. */
export const atShownFields = <Sentence>(
  errors: Record<string, Sentence>,
  { sameText }: Pick<Answers, 'sameText'>,
): Record<string, Sentence> =>
  sameText
    ? Object.fromEntries(
        Object.entries(errors).map(([path, said]) => [path.replace(/\.en$/, '.fr'), said]),
      )
    : errors;

/** Errors that still block a step: values beyond their limits. */
export function problemsOn<Sentence>(
  step: Step,
  problems: Record<string, Sentence>,
): Record<string, Sentence> {
  return Object.fromEntries(
    Object.entries(problems).filter(
      ([path]) => stepOf(path) === step && path !== 'category' && step !== 'images',
    ),
  );
}
