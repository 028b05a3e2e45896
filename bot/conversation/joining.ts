import { chatLinks } from '../../api/chats/deepLinks.ts';
import { joinFromChat } from '../../api/chats/join.ts';
import { teamContact } from '../../api/sellers/reads.ts';
import { profile, sellerLocation, sellerName } from '../../api/sellers/schema.ts';
import { numberKey } from '../../api/sellers/takings.ts';
import { Refusal } from '../../api/shared/errors.ts';
import { regionOf } from '../../api/shared/places/regionOf.ts';
import { regionNamed, regions } from '../../api/shared/places/regions.ts';
import { judged } from '../../api/shared/validated.ts';
import { translator } from '../../locales/index.ts';
import { button, common, lines, ownAccount, paragraphs, rows } from './say.ts';
import type { Answer, Asked, Button, Handler, Reply, Taking, Turn } from './types.ts';
import { tokensOf } from './words.ts';

type Joining = Extract<Asked, { kind: 'join' }>;

/** Begins an account, or a member's seller profile; the transport delivers the number last. */
export const join: Handler = (turn) => begin(turn);
/** Joins although another account names this number. */
export const joinAnew: Handler = (turn) => begin(turn, { anew: true });

export function begin(turn: Turn, given: Partial<Joining> = {}): Answer {
  const { actor } = turn.ctx;
  if (actor.kind !== 'visitor' && actor.kind !== 'member')
    return {
      text: turn.t('join.already', { account: ownAccount(turn) }),
      buttons: [[button(turn, 'button.sell', 'sell')]],
    };
  // A member's account has a name, unless it is empty.
  const name =
    actor.kind === 'member' && profile.shape.name.safeParse(actor.name).success
      ? { name: actor.name }
      : {};
  return ask(turn, { kind: 'join', step: 'name', ...name, ...given });
}

/** True on WhatsApp if the number is hidden: a contact shared there proves nothing. */
export const hidesNumber = ({ ctx }: Pick<Turn, 'ctx'>): boolean =>
  ctx.via === 'whatsapp' && ctx.client.number === undefined;

export async function provenElsewhere({ ctx, t }: Turn): Promise<Reply> {
  const { telegram } = chatLinks(ctx.services.env, ctx.language, 'start');
  const { email, whatsapp } = await teamContact(ctx);
  return {
    text: paragraphs(
      t('verify.hidden'),
      lines(
        telegram && t('verify.onTelegram'),
        (email ?? whatsapp) && t('verify.byTeam', { contact: email ?? whatsapp ?? '' }),
      ),
    ),
    ...(telegram ? { buttons: [[{ label: 'Telegram', url: telegram }]] } : {}),
  };
}

function ask(turn: Turn, known: Joining): Reply {
  const { t, state, ctx } = turn;
  const step =
    known.name === undefined
      ? 'name'
      : known.location === undefined
        ? 'place'
        : known.step === 'place' && !regionOf(known.location)
          ? 'region'
          : known.step === 'number' && ctx.client.number === undefined
            ? 'number'
            : 'terms';
  state.awaits = { ...known, step };
  const notNow = button(turn, 'button.notNow', 'no');
  const account =
    ctx.actor.kind === 'member' && t('join.forAccount', { account: ownAccount(turn) });
  switch (step) {
    case 'name':
      return { text: t('join.name'), buttons: [[notNow]] };
    case 'place':
      return { text: t('join.place'), buttons: [[notNow]] };
    case 'region':
      return {
        text: t('join.region'),
        buttons: [
          ...rows(
            [...regionsIn(turn), t('join.elsewhere')].map((label, n) => ({
              label,
              say: String(n + 1),
            })),
            2,
          ),
          [notNow],
        ],
      };
    case 'terms':
      return {
        text: paragraphs(t('join.terms'), account, t('join.agree')),
        buttons: [[button(turn, 'button.agree', 'yes'), notNow]],
      };
    default:
      return hidesNumber(turn)
        ? { text: t('join.hidden'), buttons: [[notNow]] }
        : { text: paragraphs(account, t('join.number')), buttons: [[shareNumber(turn)], [notNow]] };
  }
}

const regionsIn = ({ ctx }: Turn): string[] =>
  regions.map((code) => common(ctx.language)(`regions.${code}`));

/** Writes the chosen region behind the town; the town alone stays if it is elsewhere. */
function withRegion(turn: Turn, { location = '', ...known }: Joining, text: string): Reply {
  const names = regionsIn(turn);
  const n = /^\d{1,2}$/.test(text.trim()) ? Number(text) - 1 : undefined;
  const named = regionNamed(text);
  const region = n === undefined ? named && names[regions.indexOf(named)] : names[n];
  const elsewhere =
    n === names.length || tokensOf(text).join() === tokensOf(turn.t('join.elsewhere')).join();
  if (!region && !elsewhere) return ask(turn, { ...known, step: 'place', location });
  const asked: Joining = { ...known, step: 'region', location };
  const written = region ? read(turn, asked, sellerLocation, `${location}, ${region}`) : location;
  return ask(turn, { ...asked, location: written });
}

/** Undefined if another account would lose its number (`chats.numberProven`); else rethrows. */
export function unlessProven(error: unknown): undefined {
  if (!(error instanceof Refusal) || error.code !== 'chats.numberProven') throw error;
}

/** True if the person agreed to take back this exact number. */
export const agreesToTake = ({ takes, agreed }: Taking, key: string): boolean =>
  agreed === true && takes === key;

/** Asks to confirm taking a number back; after the yes, for the number if it was not delivered. */
export function takingQuestion(turn: Turn, { agreed }: Taking, account: string): Reply {
  const { t } = turn;
  const notNow = button(turn, 'button.notNow', 'no');
  if (agreed) return { text: t('take.share'), buttons: [[shareNumber(turn)], [notNow]] };
  return {
    text: paragraphs(t('take.ask'), account, t('take.yesNo')),
    buttons: [[button(turn, 'button.yes', 'yes'), notNow]],
  };
}

function asksToTake(turn: Turn, asked: Joining): Reply {
  const { t, state, ctx } = turn;
  state.awaits = asked;
  const member = ctx.actor.kind === 'member';
  return takingQuestion(
    turn,
    asked,
    member ? t('take.forAccount', { account: ownAccount(turn) }) : t('take.forNew'),
  );
}

export const shareNumber = ({ t }: Pick<Turn, 't'>): Button => ({
  label: t('button.sharePhone'),
  askForContact: true,
});

export async function joining(
  turn: Turn,
  { step, ...known }: Joining,
  text: string,
  agrees: boolean,
): Promise<Answer> {
  switch (step) {
    case 'name':
      return ask(turn, { ...known, step, name: read(turn, { ...known, step }, sellerName, text) });
    case 'place':
      return ask(turn, {
        ...known,
        step,
        location: read(turn, { ...known, step }, sellerLocation, text),
      });
    case 'region':
      return withRegion(turn, { ...known, step }, text);
    case 'terms':
      if (!agrees) return ask(turn, { ...known, step });
      return turn.ctx.client.number === undefined
        ? ask(turn, { ...known, step: 'number' })
        : joined(turn, { ...known, step: 'number' });
    case 'takeBack':
      if (!agrees) return asksToTake(turn, { ...known, step });
      if (turn.ctx.client.number !== undefined)
        return joined(turn, { ...known, step, agreed: true });
      return asksToTake(turn, { ...known, step, agreed: true });
    default:
      return hidesNumber(turn)
        ? ask(turn, { ...known, step })
        : { ...ask(turn, { ...known, step }), text: turn.t('join.noNumber') };
  }
}

/** Refuses `validation`; the same step is then asked again. */
function read(
  turn: Turn,
  asked: Joining,
  rule: typeof sellerName | typeof sellerLocation,
  text: string,
): string {
  turn.again = asked;
  return judged(rule, text);
}

async function joined(
  turn: Turn,
  { name = '', location = '', anew = false, ...taking }: Joining,
): Promise<Answer> {
  // After a refusal the person can still join `anew`.
  turn.again = { kind: 'join', step: 'number', name, location };
  const key = numberKey(turn.ctx, turn.ctx.client.number ?? '');
  const begun = await joinFromChat(turn.ctx, turn.chat, {
    name,
    location,
    anew,
    takeBack: agreesToTake(taking, key),
  }).catch(unlessProven);
  if (!begun)
    return asksToTake(turn, { kind: 'join', step: 'takeBack', name, location, anew, takes: key });
  turn.ctx = begun.ctx;
  turn.t = translator(begun.ctx.language, 'bot');
  return {
    text: turn.t('join.done', { name }),
    buttons: [[button(turn, 'button.sell', 'sell'), button(turn, 'button.signIn', 'signIn')]],
  };
}

/** Continues joining with a shared number. */
export function numberCame(turn: Turn, asked: Asked | undefined): Promise<Answer> | Answer {
  if (asked?.kind !== 'join') return begin(turn);
  if (asked.step !== 'number' && asked.step !== 'takeBack') return ask(turn, asked);
  return joined(turn, asked);
}
