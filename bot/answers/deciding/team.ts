import { giveModerator } from '../../../api/auth/team/giveModerator.ts';
import { teamOf } from '../../../api/auth/team/reads.ts';
import { takeModerator } from '../../../api/auth/team/takeModerator.ts';
import { email, maskedEmail } from '../../../api/shared/email.ts';
import { Refusal } from '../../../api/shared/errors.ts';
import { translator } from '../../../locales/index.ts';
import { lines, paragraphs } from '../../delivery/layout.ts';
import type { Asked } from '../../understanding/state.ts';
import { button } from '../say.ts';
import type { Answer, Handler, Reply, Turn } from '../types.ts';

type Role = Extract<Asked, { kind: 'team' }>;

/** The team; with an address, asks before the moderators' role is given or ends (product R60). */
export const team =
  (act: Role['act']): Handler =>
  (turn, { text }) => {
    const { success, data } = email.safeParse(text.split(/\s+/).find((word) => word.includes('@')));
    return success ? ask(turn, { kind: 'team', act, email: data }) : list(turn);
  };

async function list({ ctx, t }: Turn): Promise<Reply> {
  const say = translator(ctx.language, 'admin');
  const { team: all } = await teamOf(ctx);
  return {
    text: paragraphs(
      lines(
        ...all.map(({ name, email: address, role, factor }) =>
          t('team.line', {
            name,
            email: address ? maskedEmail(address) : '–',
            role: say(`settings.team.roles.${role === 'admin' ? 'admin' : 'moderator'}`),
            factor: say(factor ? 'settings.team.factorOn' : 'settings.team.factorOff'),
          }),
        ),
      ),
      t('team.how'),
    ),
  };
}

function ask(turn: Turn, asked: Role): Reply {
  const say = translator(turn.ctx.language, 'admin');
  turn.state.awaits = asked;
  return {
    text: paragraphs(
      turn.t(`team.ask.${asked.act}`, { email: asked.email }),
      say(asked.act === 'give' ? 'settings.team.emailHint' : 'settings.team.consequence'),
      turn.t('mine.ask.yesNo'),
    ),
    buttons: [[button(turn, 'button.yes', 'yes'), button(turn, 'button.no', 'no')]],
  };
}

/** Carries out what was confirmed; refuses as the verbs do. */
export async function teamChanged(turn: Turn, asked: Role): Promise<Answer> {
  const { act } = asked;
  if (act === 'give') await giveModerator(turn.ctx, asked.email);
  else {
    const { team: all } = await teamOf(turn.ctx);
    const one = all.find((member) => member.email === asked.email);
    if (!one) throw new Refusal('team.notModerator');
    await takeModerator(turn.ctx, one.id);
  }
  return { text: turn.t(`team.done.${act}`, { email: asked.email }) };
}
