import { switchMorning } from '../../api/chats/switchMorning.ts';
import { ownSwitches, switchNotification } from '../../api/people/switches.ts';
import { translator } from '../../locales/index.ts';
import { lines, paragraphs } from '../delivery/layout.ts';
import { means } from '../understanding/stop.ts';
import { typed } from '../understanding/words.ts';
import { turnedAway } from './gates.ts';
import { button, hasMailbox } from './say.ts';
import { stopped } from './stopping.ts';
import type { Answer, Button, Handler, Turn } from './types.ts';

/** Switches notifications in this chat, or one kind everywhere by its number. */
export const notices: Handler = async (turn, { words }) => {
  const { ctx, t } = turn;
  const [first = '', second = ''] = words;
  // Silence needs no account.
  if (ctx.actor.kind === 'visitor')
    return means(first) === false
      ? stopped(turn, '')
      : (turnedAway(turn, 'account', 'notices') as Answer);
  const kinds = await ownSwitches(ctx);
  const kind = /^\d{1,2}$/.test(first) ? kinds[Number(first) - 1]?.kind : undefined;
  const on = means(kind ? second : first);
  if (on === undefined) offerKinds(turn, kinds);
  if (on === undefined)
    return {
      text: paragraphs(
        t('notices.ask'),
        noticeList(turn, kinds),
        t(hasMailbox(turn) ? 'notices.kinds' : 'notices.kindsBare'),
      ),
      buttons: noticeButtons(turn),
    };
  if (!kind) {
    turn.changes.notices = on;
    return { text: t(on ? 'notices.on' : hasMailbox(turn) ? 'notices.off' : 'notices.offBare') };
  }
  await switchNotification(ctx, kind, on);
  const now = await ownSwitches(ctx);
  offerKinds(turn, now);
  return { text: noticeList(turn, now) };
};

/** Chooses this chat for a message each morning. */
export const morning: Handler = async (turn, { words: [first = ''] }) => {
  const { ctx, chat, t } = turn;
  const on = means(first);
  if (on === undefined) return { text: t('morning.ask'), buttons: [morningButtons(turn)] };
  if (on && chat.stoppedAt)
    return {
      text: t('morning.stopped'),
      buttons: [[button(turn, 'button.noticesOn', 'notices', 'on')]],
    };
  await switchMorning(ctx, chat, on);
  const isCloud = chat.transport === 'whatsapp' && ctx.services.env.WHATSAPP_CLOUD_TOKEN;
  return {
    text: paragraphs(t(on ? 'morning.on' : 'morning.off'), on && isCloud && t('morning.window')),
  };
};

const morningButtons = (turn: Turn): Button[] => [
  button(turn, 'button.morningOn', 'morning', 'on'),
  button(turn, 'button.morningOff', 'morning', 'off'),
];

/** A printed number switches its kind over. */
function offerKinds({ ctx, state }: Turn, kinds: Awaited<ReturnType<typeof ownSwitches>>): void {
  state.choices = Object.fromEntries(
    kinds.map(({ on }, n) => [
      String(n + 1),
      typed(ctx.language, 'notices', n + 1, on ? 'off' : 'on'),
    ]),
  );
}

function noticeList({ ctx, t }: Turn, kinds: Awaited<ReturnType<typeof ownSwitches>>): string {
  const say = translator(ctx.language, 'account');
  return lines(
    ...kinds.map(({ kind, on }, n) =>
      t('notices.line', {
        number: String(n + 1),
        kind: say(`letters.kinds.${kind}`),
        state: t(on ? 'notices.isOn' : 'notices.isOff'),
      }),
    ),
  );
}

function noticeButtons(turn: Turn): Button[][] {
  const on = turn.chat.notices && turn.chat.stoppedAt === null;
  const sells = 'seller' in turn.ctx.actor && turn.ctx.actor.seller;
  return [
    [button(turn, on ? 'button.noticesOff' : 'button.noticesOn', 'notices', on ? 'off' : 'on')],
    ...(sells ? [[button(turn, 'button.morning', 'morning')]] : []),
  ];
}
