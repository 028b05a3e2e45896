import type * as z from 'zod/mini';
import { hidePost } from '../../../api/connect/hide.ts';
import { resolvePostReports } from '../../../api/connect/resolvePostReports.ts';
import { hiding, reportsAnswer } from '../../../api/connect/schema.ts';
import { decide } from '../../../api/products/review/decide.ts';
import { decideEdit } from '../../../api/products/review/decideEdit.ts';
import { quickReasons } from '../../../api/products/rules.ts';
import { rejection } from '../../../api/products/schema.ts';
import { removeReported } from '../../../api/reports/remove.ts';
import { resolveReports } from '../../../api/reports/resolve.ts';
import { removalNote } from '../../../api/reports/schema.ts';
import { Refusal } from '../../../api/shared/errors.ts';
import { problemsOf } from '../../../api/shared/issues.ts';
import { translator } from '../../../locales/index.ts';
import { lines, paragraphs, rows } from '../../delivery/layout.ts';
import type { Asked, Decided } from '../../understanding/state.ts';
import { button, refusedReply } from '../say.ts';
import type { Answer, Handler, Reply, Turn } from '../types.ts';
import { type Decision, decidedIn, listOf } from './decided.ts';
import { reportsAt } from './reported.ts';
import { pendingAt } from './review.ts';

type Why = Extract<Asked, { kind: 'why' }>;

const nothingShown = (turn: Turn): Reply => ({
  text: turn.t('admin.which'),
  buttons: [[button(turn, 'button.pending', 'pending'), button(turn, 'button.reports', 'reports')]],
});

/** Approves what the admin saw; the verb refuses an unseen version and anything already decided. */
export const approve: Handler = (turn, args) => {
  const about = decidedIn(turn, args);
  if (!about || listOf(about) !== 'pending') return nothingShown(turn);
  const { what, id, seen } = about;
  return carried(turn, about, 'approve', () =>
    what === 'product'
      ? decide(turn.ctx, id, { action: 'approve' }, seen)
      : decideEdit(turn.ctx, id, 'approve', { seen }),
  );
};

/** Asks for the reason; common ones can be picked. */
export const ask =
  (act: Why['act']): Handler =>
  (turn, args) => {
    const about = decidedIn(turn, args);
    if (!about || (listOf(about) === 'pending') !== (act === 'reject')) return nothingShown(turn);
    return asked(turn, { kind: 'why', act, about });
  };

function asked(turn: Turn, why: Why, problem?: string): Reply {
  turn.state.awaits = why;
  const ready = readyWords(turn, why);
  return {
    text: paragraphs(
      problem,
      turn.t(`admin.why.${spoken(why.act, why.about)}`),
      lines(
        ...ready.map((words, n) => turn.t('report.line', { number: String(n + 1), reason: words })),
      ),
    ),
    buttons: [
      ...rows(
        ready.map((_, n) => ({ label: String(n + 1), say: String(n + 1) })),
        4,
      ),
      [button(turn, 'button.notNow', 'no')],
    ],
  };
}

/** Posts are hidden, not removed. */
const spoken = <D extends Decision>(act: D, { what }: Decided) =>
  act === 'remove' && what === 'post' ? 'hide' : act;

function readyWords({ ctx }: Turn, { act }: Why): string[] {
  const say = translator(ctx.language, 'admin');
  if (act === 'reject') return quickReasons.map((key) => say(`pending.quickReasons.${key}`));
  return [say(act === 'dismiss' ? 'reports.noteDefault' : 'reports.removeNoteDefault')];
}

/** Takes a typed or picked reason. */
export async function decidedWhy(turn: Turn, why: Why, text: string): Promise<Answer> {
  const words = /^\d$/.test(text) ? readyWords(turn, why)[Number(text) - 1] : text;
  if (words === undefined) return asked(turn, why);
  try {
    return await carried(turn, why.about, why.act, () => perform(turn, why, words));
  } catch (error) {
    if (error instanceof Refusal && error.code === 'validation')
      return asked(turn, why, refusedReply(turn, error).text);
    throw error;
  }
}

/** Refuses `validation`. */
function judged<S extends z.ZodMiniType>(rule: S, given: object): z.output<S> {
  const found = rule.safeParse(given, { reportInput: true });
  if (!found.success) throw new Refusal('validation', {}, problemsOf(found.error.issues as never));
  return found.data;
}

async function perform(
  { ctx }: Turn,
  { act, about: { what, id, seen } }: Why,
  words: string,
): Promise<unknown> {
  if (what === 'product')
    return decide(
      ctx,
      id,
      { action: 'reject', reason: judged(rejection, { reason: words }).reason },
      seen,
    );
  if (what === 'change')
    return decideEdit(ctx, id, 'reject', {
      reason: judged(rejection, { reason: words }).reason,
      seen,
    });
  if (what === 'post') {
    if (act === 'remove') return hidePost(ctx, id, judged(hiding, { reason: words }));
    return resolvePostReports(
      ctx,
      id,
      judged(reportsAnswer, { resolution: words }).resolution,
      seen,
    );
  }
  const { resolution } = judged(removalNote, { resolution: words });
  return act === 'remove'
    ? removeReported(ctx, id, resolution)
    : resolveReports(ctx, id, resolution, seen);
}

/** Carries out a decision and shows the next item; a refusal becomes the reply. */
async function carried(
  turn: Turn,
  about: Decided,
  act: Decision,
  verb: () => Promise<unknown>,
): Promise<Answer> {
  const list = listOf(about);
  const { decides } = turn.state;
  try {
    await verb();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'validation') throw error;
    return { ...refusedReply(turn, error), buttons: [[button(turn, `button.${list}`, list)]] };
  }
  delete turn.state.decides;
  const place = decides?.id === about.id ? decides.n : 1;
  return [
    { text: turn.t(`admin.done.${spoken(act, about)}`) },
    ...(await (list === 'pending' ? pendingAt : reportsAt)(turn, place)),
  ];
}
