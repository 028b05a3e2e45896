import { agree } from '../../api/legal/agree.ts';
import { agrees } from '../../api/legal/agreement.ts';
import { Refusal } from '../../api/shared/errors.ts';
import { paragraphs } from '../delivery/layout.ts';
import { button } from './say.ts';
import type { Args, Reply, Turn } from './types.ts';

/** Addresses of the terms and of the page on privacy. */
export function termsPages({ ctx, t }: Turn): string {
  const at = (page: string) => `${ctx.services.env.publicUrl}/${ctx.language}/${page}`;
  return t('terms.pages', { terms: at('terms'), privacy: at('privacy') });
}

/** Shows the terms; with the version of a button, agrees to them. */
export async function terms(turn: Turn, { words }: Args): Promise<Reply> {
  const { ctx, t } = turn;
  const stillAsked = turn.state.awaits && t('stillAsked');
  if (agrees(ctx, await turn.version())) return { text: paragraphs(termsPages(turn), stillAsked) };
  const shown = words.filter((word) => /^\d+$/.test(word)).join('-');
  if (shown === '') return termsQuestion(turn);
  try {
    await agree(ctx, shown);
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'legal.changed')) throw error;
    // A button of an earlier version.
    return termsQuestion(turn);
  }
  return { text: paragraphs(t('terms.done'), stillAsked) };
}

/** Asks to agree to the present terms. */
export async function termsQuestion(turn: Turn, why?: string): Promise<Reply> {
  const { t, state } = turn;
  const { id } = await turn.version();
  state.termsAsked = id;
  return {
    text: paragraphs(
      why,
      t('terms.read'),
      termsPages(turn),
      t('terms.ask'),
      state.awaits && t('stillAsked'),
    ),
    buttons: [[button(turn, 'button.agree', 'terms', ...id.split('-'))]],
  };
}

/**
 * Stores the version of the terms that a question of joining shows. Asks an account that has not
 * agreed, once per version and never during an open question.
 */
export async function askOnce(turn: Turn): Promise<Reply[]> {
  const { ctx, state } = turn;
  const { awaits } = state;
  if (awaits?.kind === 'join' && awaits.step === 'terms')
    state.awaits = { ...awaits, shown: (await turn.version()).id };
  if (awaits || !('agreedTo' in ctx.actor)) return [];
  const version = await turn.version();
  return agrees(ctx, version) || state.termsAsked === version.id ? [] : [await termsQuestion(turn)];
}
