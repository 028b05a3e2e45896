import { chatLinks } from '../../../api/chats/deepLinks.ts';
import { joinFromChat } from '../../../api/chats/join.ts';
import { teamContact } from '../../../api/sellers/reads.ts';
import { profile, sellerLocation, sellerName } from '../../../api/sellers/schema.ts';
import { numberKey } from '../../../api/sellers/takings.ts';
import { phoneText } from '../../../api/shared/contact/readPhone.ts';
import { Refusal } from '../../../api/shared/errors.ts';
import { regionOf } from '../../../api/shared/places/regionOf.ts';
import { regionNamed, regions } from '../../../api/shared/places/regions.ts';
import { judged } from '../../../api/shared/validated.ts';
import { translator } from '../../../locales/index.ts';
import { lines, paragraphs, rows } from '../../delivery/layout.ts';
import type { Asked, Taking } from '../../understanding/state.ts';
import { tokensOf } from '../../understanding/words.ts';
import { button, common, ownAccount, refusedReply } from '../say.ts';
import { termsPages } from '../terms.ts';
import type { Answer, Button, Handler, Reply, Turn } from '../types.ts';
import { askTown, knownPlace } from './joinPlace.ts';

type Joining = Extract<Asked, { kind: 'join' }>;

/** The sender's number, proven or read from an old id. */
const senderNumber = ({ ctx }: Pick<Turn, 'ctx'>): string | undefined =>
  ctx.client.number ?? ctx.client.oldNumber;

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

/** Ways to prove a number that this chat does not deliver. */
export async function provenElsewhere({ ctx, t }: Turn): Promise<Reply> {
  const { telegram } = chatLinks(ctx.services.env, ctx.language, 'start');
  const { email, whatsapp } = await teamContact(ctx);
  return {
    text: paragraphs(
      t(ctx.client.oldNumber ? 'verify.old' : 'verify.hidden'),
      lines(
        telegram && t('verify.onTelegram'),
        (email ?? whatsapp) && t('verify.byTeam', { contact: email ?? phoneText(whatsapp ?? '') }),
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
        : known.step === 'town' && !regionOf(known.location)
          ? 'region'
          : known.step === 'number' && senderNumber(turn) === undefined
            ? 'number'
            : 'terms';
  state.awaits = { ...known, step };
  const notNow = button(turn, 'button.notNow', 'no');
  const back = button(turn, 'button.draftBack', 'back');
  const account =
    ctx.actor.kind === 'member' && t('join.forAccount', { account: ownAccount(turn) });
  switch (step) {
    case 'name':
      return { text: t('join.name'), buttons: [[notNow]] };
    case 'place':
      return { text: t('join.place'), buttons: [[back, notNow]] };
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
          [back, notNow],
        ],
      };
    case 'terms':
      return {
        text: paragraphs(t('join.terms'), termsPages(turn), account, t('join.agree')),
        buttons: [[button(turn, 'button.agree', 'yes')], [back, notNow]],
      };
    default:
      return hidesNumber(turn)
        ? { text: t('join.hidden'), buttons: [[notNow]] }
        : {
            text: paragraphs(account, t('join.number')),
            buttons: [[shareNumber(turn)], [back, notNow]],
          };
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
  const asked: Joining = { ...known, step: 'town', location };
  if (!region && !elsewhere) return ask(turn, asked);
  const whole = region ? `${location}, ${region}` : location;
  return read(turn, asked, sellerLocation, whole, (written) =>
    ask(turn, { ...known, step: 'region', location: written }),
  );
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
      return read(turn, { ...known, step }, sellerName, text, (name) =>
        ask(turn, { ...known, step, name }),
      );
    case 'place':
      return placed(turn, { ...known, step }, text);
    case 'town': {
      const { location, ...rest } = known;
      const keeps = agrees || tokensOf(text).join() === tokensOf(turn.t('join.keep')).join();
      return keeps ? ask(turn, { ...known, step }) : placed(turn, { ...rest, step: 'place' }, text);
    }
    case 'region':
      return withRegion(turn, { ...known, step }, text);
    case 'terms': {
      const { shown } = known;
      // An answer may come when other terms hold.
      if (!agrees || shown !== (await turn.version()).id) return ask(turn, { ...known, step });
      const agreed = { ...known, step: 'number' as const, agreedTo: shown };
      return senderNumber(turn) === undefined ? ask(turn, agreed) : joined(turn, agreed);
    }
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

/** Reads an answer by its rule; after a refusal the question is asked again. */
function read(
  turn: Turn,
  asked: Joining,
  rule: typeof sellerName | typeof sellerLocation,
  text: string,
  then: (value: string) => Reply,
): Reply {
  let value: string;
  try {
    value = judged(rule, text);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const question = ask(turn, asked);
    return { ...question, text: paragraphs(refusedReply(turn, error).text, question.text) };
  }
  return then(value);
}

/** Takes a town of the list; asks back about any other. */
const placed = (turn: Turn, asked: Joining, text: string): Reply =>
  read(turn, asked, sellerLocation, text, (written) => {
    const location = knownPlace(turn, written);
    if (location !== undefined) return ask(turn, { ...asked, location });
    turn.state.awaits = { ...asked, step: 'town', location: written };
    return askTown(turn, written, button(turn, 'button.draftBack', 'back'));
  });

/** "No" to the offered towns asks for the place again; undefined for other questions. */
export const noTown = (turn: Turn, awaits: Asked): Answer | undefined =>
  awaits.kind === 'join' && awaits.step === 'town' ? joinBack(turn, awaits) : undefined;

/** Goes back one question. */
export function joinBack(turn: Turn, { step, takes: _, agreed: __, ...known }: Joining): Answer {
  const { location: ___, ...unplaced } = known;
  if (step === 'number' || step === 'takeBack') return ask(turn, { ...known, step: 'terms' });
  if (step !== 'place') return ask(turn, { ...unplaced, step: 'place' });
  const named = turn.ctx.actor.kind === 'member';
  const { name, ...unnamed } = unplaced;
  return ask(turn, { ...(named ? unplaced : unnamed), step: 'name' });
}

async function joined(
  turn: Turn,
  { name = '', location = '', anew = false, agreedTo, ...taking }: Joining,
): Promise<Answer> {
  // After a refusal the person can still join `anew`.
  const known = { name, location, ...(agreedTo ? { agreedTo } : {}) };
  turn.again = { kind: 'join', step: 'number', ...known };
  const key = numberKey(turn.ctx, turn.ctx.client.number ?? '');
  const begun = await joinFromChat(turn.ctx, turn.chat, {
    ...known,
    anew,
    takeBack: agreesToTake(taking, key),
  }).catch(unlessProven);
  if (!begun)
    return asksToTake(turn, { kind: 'join', step: 'takeBack', ...known, anew, takes: key });
  turn.ctx = begun.ctx;
  turn.t = translator(begun.ctx.language, 'bot');
  const { number, oldNumber } = turn.ctx.client;
  const elsewhere = number === undefined && oldNumber ? await provenElsewhere(turn) : undefined;
  return {
    text: elsewhere
      ? paragraphs(
          turn.t('join.doneOld', { name, number: phoneText(oldNumber ?? '') }),
          elsewhere.text,
        )
      : turn.t('join.done', { name }),
    buttons: [[button(turn, 'button.sell', 'sell'), button(turn, 'button.signIn', 'signIn')]],
  };
}

/** Continues joining with a shared number. */
export function numberCame(turn: Turn, asked: Asked | undefined): Promise<Answer> | Answer {
  if (asked?.kind !== 'join') return begin(turn);
  if (asked.step !== 'number' && asked.step !== 'takeBack') return ask(turn, asked);
  return joined(turn, asked);
}
