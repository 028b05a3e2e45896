import type { postStatuses } from '../../db/vocabularies.ts';
import { translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { userIdOf } from '../core/context.ts';
import { keptMs } from '../shared/retention/periods.ts';
import { money } from '../shared/text.ts';

const minute = 60_000;

/** Elapsed time: minutes under 60, then hours under 24, then days (product §9). */
export function ageOf(
  since: Date,
  now: Date,
): { count: number; unit: 'minutes' | 'hours' | 'days' } {
  const minutes = Math.max(0, Math.floor((now.getTime() - since.getTime()) / minute));
  if (minutes < 60) return { count: minutes, unit: 'minutes' };
  if (minutes < 24 * 60) return { count: Math.floor(minutes / 60), unit: 'hours' };
  return { count: Math.floor(minutes / (24 * 60)), unit: 'days' };
}

type Known = {
  userId: string;
  status: (typeof postStatuses)[number];
  hiddenAt: Date | null;
  contactWhatsapp: string | null;
};

/** Actions to offer on a post; the verbs check again. */
export function canWith({ actor }: Pick<Ctx, 'actor'>, post: Known) {
  const userId = userIdOf(actor);
  const mine = userId === post.userId;
  const open = post.status === 'active' && post.hiddenAt === null;
  return {
    respond: !mine && open && post.contactWhatsapp !== null,
    update: mine && open,
    toggle: mine && post.hiddenAt === null,
  };
}

/** In whole XAF; null if none was given. */
export function budgetText(
  { budgetMin, budgetMax }: { budgetMin: number | null; budgetMax: number | null },
  language: Language,
): string | null {
  const t = translator(language, 'connect');
  const from = budgetMin ? money(budgetMin, language) : null;
  const to = budgetMax === null ? null : money(budgetMax, language);
  if (from && to) return from === to ? to : `${from} – ${to}`;
  if (to) return t('feed.budgetTo', { amount: to });
  return from && t('feed.budgetFrom', { amount: from });
}

/** A visitor's views of a post count once in this time. */
export const viewWindowMs = keptMs('postViews');
