import { answersOf, type Draft } from '../../../api/drafts/draft.ts';
import type { Answers } from '../../../api/drafts/rules.ts';
import type { KeptAnswers } from '../../../api/drafts/schema.ts';
import { listingFee } from '../../../api/listings/rules.ts';
import { durationHours, hasCondition, limits } from '../../../api/products/schema.ts';
import { nameIn } from '../../../api/shared/format.ts';
import { priceOf } from '../../../api/shared/price.ts';
import { slotNumber } from '../../../api/shared/slots.ts';
import { money } from '../../../api/shared/text.ts';
import { categories, conditions, listingTypes, paymentMethods } from '../../../db/vocabularies.ts';
import { dictionaries, translator } from '../../../locales/index.ts';
import { defaultLanguage, languages, productLanguages } from '../../../locales/languages.ts';
import { lines, paragraphs, rows, short } from '../../delivery/layout.ts';
import type { Field, ProductLanguage } from '../../understanding/state.ts';
import { tokensOf } from '../../understanding/words.ts';
import { button, common } from '../say.ts';
import type { Button, Reply, Turn } from '../types.ts';

const inOrder = ({ ctx }: Turn): ProductLanguage[] =>
  [...productLanguages].sort(
    (one, other) => Number(other === ctx.language) - Number(one === ctx.language),
  );

/** Fields of a draft, in the order they are asked. */
export function fieldsOf(
  turn: Turn,
  { listingType, category, sameText }: Pick<Answers, 'listingType' | 'category' | 'sameText'>,
): Field[] {
  const both = <T extends 'name' | 'description'>(kind: T) =>
    inOrder(turn).map((language) => `${kind}.${language}` as const);
  // A seller who writes French can choose once to show the same text to readers of English.
  const texts: Field[] =
    turn.ctx.language === 'fr' || sameText
      ? [
          'name.fr',
          'description.fr',
          'sameText',
          ...(sameText ? [] : (['name.en', 'description.en'] as const)),
        ]
      : [...both('name'), ...both('description')];
  const slot = listingType === 'featured' ? (['preferredFeaturedSlot'] as const) : [];
  return [
    'photos',
    ...texts,
    'category',
    ...(hasCondition(category) ? (['condition'] as const) : []),
    'price',
    'listingType',
    ...slot,
    'durationHours',
    'sellerLocation',
    'paymentMethod',
  ];
}

type Kind = 'name' | 'description' | Exclude<Field, `${string}.${string}`>;
export const kindOf = (field: Field): Kind => field.split('.')[0] as Kind;
const languageOf = (field: Field): ProductLanguage =>
  (field.split('.')[1] ?? defaultLanguage) as ProductLanguage;
/** Optional fields (product §5). The words in the chat's own language are not, in the chat. */
export const isOptional = ({ ctx }: Turn, field: Field): boolean =>
  ['condition', 'preferredFeaturedSlot', 'businessName'].includes(field) ||
  (field.includes('.') && ![defaultLanguage, ctx.language].includes(languageOf(field)));
/** Fields that accept any text. */
export const isFree = (field: Field): boolean =>
  ['name', 'description', 'sellerLocation', 'businessName'].includes(kindOf(field));
export const otherWords = (turn: Turn, field: Field, answers: Answers): string =>
  field.includes('.')
    ? (inOrder(turn)
        .map((language) => answers[`${kindOf(field) as 'name'}.${language}`])
        .find((text) => text !== '') ?? '')
    : '';

export const labelOf = ({ t }: Turn, field: Field): string =>
  t(`draft.labels.${kindOf(field)}`, { language: t(`draft.languages.${languageOf(field)}`) });

function choicesOf(
  { ctx, t }: Turn,
  field: Field,
  { listingType }: Answers,
): { value: string | number | boolean; label: string }[] {
  const say = common(ctx.language);
  const seller = translator(ctx.language, 'seller');
  switch (field) {
    case 'sameText':
      return [true, false].map((value) => ({ value, label: t(`draft.same.${value}`) }));
    case 'category':
      return categories.map((value) => ({ value, label: say(`categories.${value}`) }));
    case 'condition':
      return conditions.map((value) => ({ value, label: say(`conditions.${value}`) }));
    case 'paymentMethod':
      return paymentMethods.map((value) => ({ value, label: say(`paymentMethods.${value}`) }));
    case 'listingType':
      return listingTypes.map((value) => ({ value, label: seller(`wizard.fee.${value}`) }));
    case 'durationHours':
      return durationHours.map((value) => ({
        value,
        label: t('draft.days', {
          count: value / 24,
          fee: money(listingFee(value, listingType), ctx.language),
        }),
      }));
    default:
      return [];
  }
}

/** A field's current value; empty if unset. */
export function shownOf(turn: Turn, field: Field, draft: Draft, answers: Answers): string {
  const { ctx } = turn;
  const price = priceOf(answers.price);
  switch (field) {
    case 'photos':
      return draft.photos.length > 0 ? String(draft.photos.length) : '';
    case 'price':
      return price !== undefined && Number.isFinite(price)
        ? money(price, ctx.language)
        : answers.price;
    case 'durationHours':
      return String(answers.durationHours / 24);
    case 'preferredFeaturedSlot':
      return answers.preferredFeaturedSlot === null
        ? ''
        : `#${slotNumber(answers.preferredFeaturedSlot)}`;
    case 'listingType':
      return translator(ctx.language, 'seller')(`wizard.fee.${answers.listingType}`);
    case 'sameText':
    case 'category':
    case 'condition':
    case 'paymentMethod':
      return (
        choicesOf(turn, field, answers).find(({ value }) => value === answers[field])?.label ?? ''
      );
    default:
      return answers[field];
  }
}

/** A draft's answers, completed from the profile. */
export function answersIn({ ctx }: Turn, { answers }: Draft): Answers {
  const seller = 'seller' in ctx.actor ? ctx.actor.seller : null;
  if (!seller) throw new Error('A draft is a seller’s');
  return answersOf(seller, answers);
}

/** The product's name; empty if it has none yet. */
export function nameOf({ ctx }: Turn, answers: Answers): string {
  const names = productLanguages
    .map((language) => [language, answers[`name.${language}`]] as const)
    .filter(([, name]) => name !== '');
  return names.length === 0 ? '' : short(nameIn(Object.fromEntries(names), ctx.language), 100);
}

/** Asks for one field and shows its current value. */
export function question(turn: Turn, field: Field, draft: Draft): Reply {
  const { t } = turn;
  turn.state.awaits = { kind: 'draft', field };
  const answers = answersIn(turn, draft);
  const value = shownOf(turn, field, draft, answers);
  // The profile's place is offered as a value; a default duration is not.
  const known =
    field === 'photos'
      ? value !== ''
      : value !== '' &&
        (draft.answers[field] !== undefined ||
          field === 'sellerLocation' ||
          field === 'businessName');
  const choices = choicesOf(turn, field, answers);
  const words = {
    language: t(`draft.languages.${languageOf(field)}`),
    min: limits.preferredSlot.min,
    max: field === 'photos' ? limits.images.max : limits.preferredSlot.max,
  };
  const same = otherWords(turn, field, answers);
  const offers =
    !field.includes('.') || value !== ''
      ? ''
      : isOptional(turn, field)
        ? t('draft.optional')
        : same === ''
          ? ''
          : t('draft.needed');
  const hints = listingTypes.map((value) => {
    const seller = translator(turn.ctx.language, 'seller');
    return t('draft.laneLine', {
      type: seller(`wizard.fee.${value}`),
      hint: seller(`wizard.fields.${value}Hint`),
    });
  });
  const now = !known
    ? ''
    : field === 'photos'
      ? lines(t('draft.photosKept', { count: draft.photos.length }), t('draft.photoOut'))
      : t('draft.now', { value: short(value, 300) });
  const keys: Button[] = choices.map(({ label }, n) => ({ label, say: String(n + 1) }));
  const beside = [
    ...(known ? [button(turn, 'button.done', 'done')] : []),
    ...(same !== '' && value === '' ? [button(turn, 'button.same', 'same')] : []),
    ...(isOptional(turn, field) && !known ? [button(turn, 'button.skip', 'skip')] : []),
    ...(field === 'photos' ? [] : [button(turn, 'button.draftBack', 'back')]),
  ];
  return {
    text: paragraphs(
      t(`draft.${kindOf(field)}`, words),
      field === 'listingType' && lines(...hints),
      offers,
      now,
    ),
    buttons: [...rows(keys, ['category', 'condition'].includes(field) ? 2 : 1), beside].filter(
      (row) => row.length > 0,
    ),
  };
}

/** The condition that a word of either language means: "neuf", "second hand". */
const conditionIn = (said: string) =>
  conditions.find((condition) =>
    languages.some((language) =>
      dictionaries[language].bot.draft.conditions[condition]
        .split(',')
        .some((name) => tokensOf(name).join(' ') === said),
    ),
  );

/** Parses the answer to a field; undefined if it matches no choice. */
export function answerIn(
  turn: Turn,
  field: Field,
  text: string,
  answers: Answers,
): KeptAnswers | undefined {
  const choices = choicesOf(turn, field, answers);
  if (choices.length > 0) {
    const said = tokensOf(text).join(' ');
    const chosen = /^\d{1,2}$/.test(said)
      ? choices[Number(said) - 1]
      : choices.find(({ label }) => said !== '' && tokensOf(label).join(' ').startsWith(said));
    const value = chosen?.value ?? (field === 'condition' ? conditionIn(said) : undefined);
    return value === undefined ? undefined : { [field]: value };
  }
  if (field === 'preferredFeaturedSlot') {
    const slot = Number(/^#?\s?(\d{1,2})$/.exec(text)?.[1]);
    return slot >= limits.preferredSlot.min && slot <= limits.preferredSlot.max
      ? { preferredFeaturedSlot: slot }
      : undefined;
  }
  return field === 'photos' ? undefined : { [field]: text };
}
