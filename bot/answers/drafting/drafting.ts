import { changeDraft } from '../../../api/drafts/changeDraft.ts';
import { discardDraft } from '../../../api/drafts/discardDraft.ts';
import { type Draft, ownDraft } from '../../../api/drafts/draft.ts';
import { type Answers, toSubmission } from '../../../api/drafts/rules.ts';
import type { KeptAnswers } from '../../../api/drafts/schema.ts';
import { submitDraft } from '../../../api/drafts/submitDraft.ts';
import { listingFee } from '../../../api/listings/rules.ts';
import { feePayees } from '../../../api/products/reads.ts';
import { payInstruction } from '../../../api/products/rules.ts';
import { submission } from '../../../api/products/schema.ts';
import { presentRefusal, Refusal } from '../../../api/shared/errors.ts';
import { productCode } from '../../../api/shared/slugs/productCode.ts';
import { money } from '../../../api/shared/text.ts';
import { judged } from '../../../api/shared/validated.ts';
import type { paymentMethods } from '../../../db/vocabularies.ts';
import { dictionaries, translator } from '../../../locales/index.ts';
import { languages } from '../../../locales/languages.ts';
import { lines, paragraphs, short } from '../../delivery/layout.ts';
import type { Asked, Field } from '../../understanding/state.ts';
import { type Said, tokensOf, typed } from '../../understanding/words.ts';
import { button, common } from '../say.ts';
import type { Answer, Args, Reply, Turn } from '../types.ts';
import {
  answerIn,
  answersIn,
  fieldsOf,
  isFree,
  isOptional,
  kindOf,
  labelOf,
  nameOf,
  otherWords,
  question,
  shownOf,
} from './draftFields.ts';

const besidePicture = 1024;

export const own = async (turn: Turn): Promise<Draft | null> => (await ownDraft(turn.ctx)).draft;

/** Begins a product; a draft begun here or on the site is asked about first. */
export async function sell(turn: Turn): Promise<Answer> {
  const { t } = turn;
  const draft = await own(turn);
  if (!draft || isEmpty(draft))
    return next(turn, draft ?? (await changeDraft(turn.ctx, {})), t('draft.begun'));
  const name = nameOf(turn, answersIn(turn, draft));
  return {
    text: name ? t('draft.oldAsk', { name }) : t('draft.oldAskUnnamed'),
    buttons: [
      [
        button(turn, 'button.draftGoOn', 'myDraft'),
        button(turn, 'button.draftFresh', 'freshDraft', draft.key.slice(0, 8)),
      ],
    ],
  };
}

const isEmpty = ({ photos, answers }: Draft): boolean =>
  photos.length === 0 && Object.keys(answers).length === 0;

/** Resumes the draft begun here or on the site. */
export async function goOnWithDraft(turn: Turn): Promise<Answer> {
  const { t } = turn;
  const draft = await own(turn);
  if (!draft) return sell(turn);
  const name = nameOf(turn, answersIn(turn, draft));
  return next(turn, draft, name ? t('draft.goOn', { name }) : t('draft.goOnUnnamed'));
}

/** Discards the draft that the question named, and begins another. */
export async function sellAfresh(turn: Turn, { words }: Args): Promise<Answer> {
  const draft = await own(turn);
  if (draft && words[0] === draft.key.slice(0, 8)) await discardDraft(turn.ctx, draft.key);
  return sell(turn);
}

async function next(turn: Turn, draft: Draft, said?: string): Promise<Reply> {
  const open = fieldsOf(turn, answersIn(turn, draft)).find((field) => isOpen(draft, field));
  const reply = open ? question(turn, open, draft) : await review(turn, draft);
  const text = paragraphs(said, reply.text);
  const { picture, ...words } = reply;
  return { ...words, text, ...(picture && text.length <= besidePicture ? { picture } : {}) };
}

function isOpen({ photos, answers }: Draft, field: Field): boolean {
  if (field === 'photos') return photos.length === 0;
  // Skipped if the draft has an English name from the site.
  if (field === 'sameText' && answers['name.en']) return false;
  return answers[field] === undefined;
}

async function review(turn: Turn, draft: Draft): Promise<Reply> {
  const { ctx, t } = turn;
  const answers = answersIn(turn, draft);
  const all = fieldsOf(turn, answers).map((field, n) =>
    t('draft.reviewLine', {
      number: n + 1,
      label: labelOf(turn, field),
      value: short(shownOf(turn, field, draft, answers), 90) || t('draft.notGiven'),
    }),
  );
  // A printed number changes its line.
  turn.state.choices = Object.fromEntries(
    all.map((_, n) => [String(n + 1), typed(ctx.language, 'change', n + 1)]),
  );
  const fee = listingFee(answers.durationHours, answers.listingType);
  const wizard = translator(ctx.language, 'seller');
  const cover = draft.photos[0]?.image.src.replace(/^\/media\//, '');
  return {
    text: paragraphs(
      t('draft.review'),
      lines(...all),
      lines(t('draft.fee', { fee: money(fee, ctx.language) }), wizard('wizard.fee.afterwards')),
      wizard(ctx.actor.kind === 'admin' ? 'wizard.review.afterAdmin' : 'wizard.review.afterSeller'),
      t('draft.how'),
    ),
    ...(cover ? { picture: cover } : {}),
    buttons: [
      [button(turn, 'button.submit', 'submit')],
      [button(turn, 'button.draftBack', 'back'), button(turn, 'button.discard', 'discard')],
    ],
  };
}

export function problemOf(
  turn: Turn,
  field: Field,
  draft: Draft,
  given: KeptAnswers,
): string | undefined {
  const answers = answersIn(turn, { ...draft, answers: { ...draft.answers, ...given } });
  const paths = field === 'photos' ? ['images'] : pathsOf(field, answers);
  const refusal = refusalOf(() =>
    judged(
      submission,
      toSubmission(
        answers,
        draft.photos.map(({ id }) => id),
      ),
    ),
  );
  if (!refusal) return undefined;
  return presentRefusal(refusal, turn.ctx.language, turn.ctx.requestId).error.fields?.find(
    (problem) => paths.includes(problem.path),
  )?.message;
}

/** Paths of a field's errors: while the English repeats the French, its errors too. */
function pathsOf(field: Field, { sameText }: Answers): string[] {
  if (!sameText) return [field];
  if (field === 'sameText') return ['name.en', 'description.en'];
  return [field, field.replace('.fr', '.en')];
}

function refusalOf(work: () => unknown): Refusal | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  return undefined;
}

async function keep(turn: Turn, field: Field, draft: Draft, given: KeptAnswers): Promise<Answer> {
  const problem = problemOf(turn, field, draft, given);
  if (problem !== undefined && field === 'sameText') {
    // The French is too short for what the English needs: asked for again, the choice stands.
    const chosen = await changeDraft(turn.ctx, { answers: given });
    const short = (['name.fr', 'description.fr'] as const).find(
      (one) => problemOf(turn, one, chosen, {}) !== undefined,
    );
    return again(turn, short ?? field, chosen, problem);
  }
  if (problem !== undefined) return again(turn, field, draft, problem);
  return next(turn, await changeDraft(turn.ctx, { answers: given }));
}

export const again = (turn: Turn, field: Field, draft: Draft, said: string): Reply => {
  const reply = question(turn, field, draft);
  return { ...reply, text: paragraphs(said, reply.text) };
};

/** Handles an answer to a field; undefined if the text is a command instead. */
export async function answered(
  turn: Turn,
  { field }: Extract<Asked, { kind: 'draft' }>,
  text: string,
  said: Said | undefined,
): Promise<Answer | undefined> {
  if (text.startsWith('/')) return undefined;
  const draft = (await own(turn)) ?? (await changeDraft(turn.ctx, {}));
  const answers = answersIn(turn, draft);
  // "new", "used" and "yes" answer these questions, even if a command has the same name.
  const chosen =
    (field === 'condition' || field === 'sameText') && answerIn(turn, field, text, answers);
  if (chosen) return keep(turn, field, draft, chosen);
  const exact = said?.exact ? said : undefined;
  const whole = exact?.rest.length === 0 ? exact.command : undefined;
  if (whole === 'back') return before(turn, field, draft);
  if (whole === 'skip' && isOptional(turn, field))
    return keep(turn, field, draft, { [field]: field === 'preferredFeaturedSlot' ? null : '' });
  if (whole === 'skip') return again(turn, field, draft, turn.t('draft.cannotSkip'));
  if (whole === 'done' || whole === 'more') return goOn(turn, field, draft);
  const same = otherWords(turn, field, answers);
  if (whole === 'same' && field === 'sameText') return keep(turn, field, draft, { sameText: true });
  if (whole === 'same')
    return same === ''
      ? again(turn, field, draft, turn.t('draft.cannotSkip'))
      : keep(turn, field, draft, { [field]: same });
  // A free-text answer may begin with a command's words.
  const priced = field === 'price' && exact?.command === 'price';
  if (
    exact &&
    !priced &&
    (whole !== undefined ||
      !isFree(field) ||
      exact.command === 'removePhoto' ||
      fieldNamed(turn, exact))
  )
    return undefined;
  const given = answerIn(turn, field, priced ? exact.rest.join('') : text, answers);
  if (given) return keep(turn, field, draft, given);
  if (field === 'photos') return undefined;
  return again(turn, field, draft, turn.t('draft.again'));
}

function goOn(turn: Turn, field: Field, draft: Draft): Promise<Answer> | Answer {
  if (field === 'photos')
    return draft.photos.length > 0
      ? next(turn, draft)
      : again(turn, field, draft, turn.t('draft.needPhoto'));
  const value = answersIn(turn, draft)[field];
  if (value === '' || (value === null && draft.answers[field] === undefined))
    return again(turn, field, draft, turn.t('draft.cannotSkip'));
  return keep(turn, field, draft, { [field]: value });
}

function before(turn: Turn, field: Field | undefined, draft: Draft): Reply {
  const all = fieldsOf(turn, answersIn(turn, draft));
  const at = field === undefined ? all.length : all.indexOf(field);
  return question(turn, all[Math.max(0, at - 1)] ?? 'photos', draft);
}

const withDraft =
  (work: (turn: Turn, draft: Draft, args: Args) => Promise<Answer> | Answer) =>
  async (turn: Turn, args: Args): Promise<Answer> => {
    const draft = await own(turn);
    return draft
      ? work(turn, draft, args)
      : { text: turn.t('draft.none'), buttons: [[button(turn, 'button.sell', 'sell')]] };
  };

export const back = withDraft((turn, draft) => before(turn, undefined, draft));
export const goOnWith = withDraft((turn, draft) => next(turn, draft));

/** A field named by its number in the review, or its name in any language. */
function fieldNamed(turn: Turn, said: Pick<Said, 'command' | 'rest'>): boolean {
  return (
    said.command === 'change' &&
    (named(turn, said.rest) !== undefined || /^\d{1,2}$/.test(said.rest.join(' ')))
  );
}

function named(turn: Turn, words: string[]): Field | undefined {
  const said = words.join(' ');
  const kinds = [
    ...fieldsOf(turn, { listingType: 'featured', category: 'other', sameText: false }),
    'businessName' as const,
  ];
  const means = (field: Field) =>
    languages.some((language) =>
      dictionaries[language].bot.draft.fields[kindOf(field)]
        .split(',')
        .some((name) => tokensOf(name).join(' ') === said),
    ) || tokensOf(labelOf(turn, field)).join(' ') === said;
  return kinds.find(means);
}

export const change = withDraft((turn, draft, { words }) => {
  const numbered = /^\d{1,2}$/.test(words.join(' '))
    ? fieldsOf(turn, answersIn(turn, draft))[Number(words[0]) - 1]
    : undefined;
  const field = numbered ?? named(turn, words);
  return field ? question(turn, field, draft) : { text: turn.t('draft.which') };
});

export const remove = withDraft(async (turn, draft, { words }) => {
  const photo = draft.photos[Number(words.at(-1)) - 1];
  if (!photo) return again(turn, 'photos', draft, turn.t('draft.noSuchPhoto'));
  return question(turn, 'photos', await changeDraft(turn.ctx, { remove: photo.id }));
});

export const discard = withDraft((turn, draft) => {
  turn.state.awaits = { kind: 'discard', key: draft.key };
  const name = nameOf(turn, answersIn(turn, draft)) || turn.t('draft.notGiven');
  return {
    text: turn.t('draft.discardAsk', { name }),
    buttons: [[button(turn, 'button.yes', 'yes'), button(turn, 'button.no', 'no')]],
  };
});

export async function discarded(
  turn: Turn,
  { key }: Extract<Asked, { kind: 'discard' }>,
): Promise<Answer> {
  await discardDraft(turn.ctx, key);
  return { text: turn.t('draft.discarded'), buttons: [[button(turn, 'button.sell', 'sell')]] };
}

/** Submits the draft, or asks for the first invalid field. */
export const submit = withDraft(async (turn, draft) => {
  const { ctx, t } = turn;
  const { language } = ctx;
  const answers = answersIn(turn, draft);
  const lacks = fieldsOf(turn, answers).find(
    (field) => problemOf(turn, field, draft, {}) !== undefined,
  );
  if (lacks)
    return again(turn, lacks, draft, lines(t('draft.missing'), problemOf(turn, lacks, draft, {})));
  const { id, status, listingFee: fee, feeReference: reference } = await submitDraft(ctx);
  const say = translator(language, 'seller');
  const method = answers.paymentMethod as (typeof paymentMethods)[number];
  const payee = reference === null ? undefined : (await feePayees(ctx))[method];
  const words = {
    amount: money(fee, language),
    reference: reference ?? '',
    method: common(language)(`paymentMethods.${method}`),
    ...payee,
  };
  return {
    text: paragraphs(
      t(status === 'approved' ? 'draft.approved' : 'draft.submitted', {
        name: nameOf(turn, answers),
      }),
      reference !== null &&
        lines(t('draft.fee', { fee: words.amount }), say(payInstruction(method, payee), words)),
    ),
    buttons: [
      [button(turn, 'button.listing', 'listing', productCode(id))],
      [button(turn, 'button.mine', 'mine'), button(turn, 'button.sell', 'sell')],
    ],
  };
});

export const left = (turn: Turn): Reply => ({
  text: turn.t('draft.kept'),
  buttons: [[button(turn, 'button.draftGoOn', 'myDraft')]],
});
