import { changeDraft } from '../../../api/drafts/changeDraft.ts';
import type { Draft } from '../../../api/drafts/draft.ts';
import { limits } from '../../../api/products/schema.ts';
import { presentRefusal, Refusal } from '../../../api/shared/errors.ts';
import { lines, paragraphs, short } from '../../delivery/layout.ts';
import type { Field } from '../../understanding/state.ts';
import { commandIn } from '../../understanding/words.ts';
import { button } from '../say.ts';
import type { Answer, TakenPhoto, Turn } from '../types.ts';
import { readCaption } from './caption.ts';
import { answersIn, labelOf, shownOf } from './draftFields.ts';
import { again, answered, own, problemOf } from './drafting.ts';

/**
 * Adds photos to a draft. Of an album only the first is answered. A caption answers the open
 * question; otherwise the reply says that it was ignored.
 */
export async function photosCame(turn: Turn, caption: string): Promise<Answer> {
  const { t, state, ctx } = turn;
  const begins = (await own(turn)) === null;
  const said: string[] = [];
  let draft: Draft | undefined;
  for (const photo of turn.photos) {
    const refusal = 'refused' in photo ? photo.refused : undefined;
    const added =
      refusal ??
      (await changeDraft(ctx, { add: (photo as Extract<TakenPhoto, { id: string }>).id }).catch(
        refusedOrThrow,
      ));
    if (added instanceof Refusal) said.push(...sentences(turn, added));
    else draft = added;
  }
  const album = turn.photos[0]?.album;
  const known = album !== undefined && state.album === album;
  if (album !== undefined) state.album = album;
  if (known && said.length === 0 && caption === '') return [];
  draft ??= (await own(turn)) ?? undefined;
  if (!draft) return { text: paragraphs(said.join('\n'), caption && t('draft.captionLeft')) };
  const taken = await captionTaken(turn, draft, caption);
  const left = caption !== '' && (taken ?? t('draft.captionLeft'));
  const { max } = limits.images;
  const here =
    said.length === 0 &&
    (album === undefined
      ? t('draft.photo', { number: draft.photos.length, max })
      : t('draft.album'));
  const arrived = paragraphs(begins && t('draft.begun'), ...said, here);
  const { awaits } = state;
  if (caption !== '' && !taken && awaits?.kind === 'draft') {
    delete state.awaits;
    const answer = await answered(turn, awaits, caption, commandIn(caption));
    if (answer)
      return [answer]
        .flat()
        .map((reply, n) => (n === 0 ? { ...reply, text: paragraphs(arrived, reply.text) } : reply));
    state.awaits = awaits;
  }
  const text = paragraphs(arrived, left);
  if (awaits?.kind === 'draft' && awaits.field !== 'photos')
    return again(turn, awaits.field, draft, text);
  state.awaits = { kind: 'draft', field: 'photos' };
  return {
    text: paragraphs(
      text,
      album === undefined && draft.photos.length < max && t('draft.photoNext'),
    ),
    buttons: [[button(turn, 'button.done', 'done')]],
  };
}

/** Fills name, price and place from a caption; undefined if it has none, or they are given. */
async function captionTaken(
  turn: Turn,
  draft: Draft,
  caption: string,
): Promise<string | undefined> {
  const { awaits } = turn.state;
  if (awaits?.kind === 'draft' && awaits.field !== 'photos') return undefined;
  const read = Object.entries(readCaption(turn, caption) ?? {}) as [Field, string][];
  if (read.some(([field]) => field !== 'sellerLocation' && draft.answers[field as 'price']))
    return undefined;
  const fit = read.filter(([field, value]) => {
    const given = { [field]: value };
    return problemOf(turn, field, draft, given) === undefined;
  });
  if (fit.length === 0) return undefined;
  const kept = await changeDraft(turn.ctx, { answers: Object.fromEntries(fit) });
  const answers = answersIn(turn, kept);
  return lines(
    turn.t('draft.captionRead'),
    ...fit.map(([field]) =>
      turn.t('draft.captionLine', {
        label: labelOf(turn, field),
        value: short(shownOf(turn, field, kept, answers), 90),
      }),
    ),
  );
}

function refusedOrThrow(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

function sentences({ ctx }: Turn, refusal: Refusal): string[] {
  const { message, fields } = presentRefusal(refusal, ctx.language, ctx.requestId).error;
  return fields?.map((field) => field.message) ?? [message];
}
