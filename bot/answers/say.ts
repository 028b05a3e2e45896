import { isTeam } from '../../api/core/access.ts';
import type { Button } from '../../api/core/chatMessages.ts';
import type { AccountSigns } from '../../api/people/mailbox.ts';
import { maskedEmail } from '../../api/shared/email.ts';
import { presentRefusal, type Refusal } from '../../api/shared/errors.ts';
import { translator } from '../../locales/index.ts';
import type { Key } from '../../locales/keys.ts';
import type { Language } from '../../locales/languages.ts';
import { lines } from '../delivery/layout.ts';
import { type Command, typed } from '../understanding/words.ts';
import type { Reply, Turn } from './types.ts';

type Label = Extract<Key<'bot'>, `button.${string}`>;

/** A button sends text that a person could type too, so every action works without buttons. */
export function button(
  { ctx, t }: Pick<Turn, 'ctx' | 't'>,
  label: Label,
  command: Command,
  ...rest: (string | number)[]
): Button {
  return { label: t(label), say: typed(ctx.language, command, ...rest) };
}

export const common = (language: Language) => translator(language, 'common');

const advices = ['safetyPlace', 'safetyCheck', 'safetyMoney', 'safetyBalance'] as const;
/** The advice of the contact step, with its title. */
export function safety(language: Language): string {
  const shop = translator(language, 'shop');
  return lines(
    shop('contact.safetyTitle'),
    ...advices.map((advice) => `• ${shop(`contact.${advice}`)}`),
  );
}

/** Time until a moment, in its two largest units. */
export function timeLeft({ t }: Pick<Turn, 't'>, until: string | Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((new Date(until).getTime() - now.getTime()) / 60_000));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60)];
  if (days > 0)
    return hours % 24 > 0
      ? t('time.days', { days, hours: hours % 24 })
      : t('time.wholeDays', { days });
  return hours > 0
    ? t('time.hours', { hours, minutes: minutes % 60 })
    : t('time.minutes', { minutes });
}

export const pictureKey = ({ src }: { src: string }): string => src.replace(/^\/media\//, '');

export function menu(turn: Turn): Button[][] {
  const { ctx } = turn;
  const seller = 'seller' in ctx.actor && ctx.actor.seller;
  const own =
    ctx.actor.kind === 'visitor'
      ? [
          button(turn, 'button.link', 'link'),
          isClosed(turn)
            ? button(turn, 'button.askBack', 'reopen')
            : button(turn, 'button.join', 'join'),
        ]
      : [
          ...(seller
            ? [button(turn, 'button.sell', 'sell'), button(turn, 'button.mine', 'mine')]
            : []),
          button(turn, 'button.balance', 'balance'),
          button(turn, 'button.responses', 'responses'),
        ];
  return [
    [
      button(turn, 'button.market', 'market'),
      button(turn, 'button.categories', 'categories'),
      button(turn, 'button.places', 'places'),
    ],
    own,
    ...(isTeam(ctx.actor.kind)
      ? [
          [
            button(turn, 'button.pending', 'pending'),
            button(turn, 'button.reports', 'reports'),
            ...healthButton(turn),
          ],
        ]
      : []),
    [button(turn, 'button.help', 'help')],
  ];
}

/** For admins alone. */
export const healthButton = (turn: Turn): Button[] =>
  turn.ctx.actor.kind === 'admin' ? [button(turn, 'button.health', 'health')] : [];

/** An account's masked address or proven number; no names, as others may have chosen them. */
export function accountWords(
  { t }: Pick<Turn, 't'>,
  { email, provenNumber }: AccountSigns,
): string {
  if (email !== null) return maskedEmail(email);
  return provenNumber === null
    ? t('account.bare')
    : t('account.numbered', { end: provenNumber.slice(-2) });
}

/** True for a chat that was linked and acts for nobody now. */
export const isClosed = ({ chat }: Pick<Turn, 'chat'>): boolean => chat.closedWhy !== null;

/** False for an account that began in a chat and has no e-mail address. */
export const hasMailbox = ({ ctx }: Pick<Turn, 'ctx'>): boolean =>
  'email' in ctx.actor && ctx.actor.email !== null;

export function ownAccount(turn: Turn): string {
  const { actor } = turn.ctx;
  const seller = 'seller' in actor ? actor.seller : null;
  return accountWords(turn, {
    email: 'email' in actor ? actor.email : null,
    provenNumber: seller?.verifiedWhatsapp ?? null,
  });
}

export function refusedReply({ ctx }: Pick<Turn, 'ctx'>, refusal: Refusal): Reply {
  const { message, fields } = presentRefusal(refusal, ctx.language, ctx.requestId).error;
  // A single field's message needs no summary, as no form is shown.
  return {
    text:
      fields?.length === 1
        ? (fields[0]?.message ?? message)
        : lines(message, ...(fields ?? []).map((field) => field.message)),
  };
}
