import type { Message } from '../../api/core/chatMessages.ts';
import { Refusal } from '../../api/shared/errors.ts';
import { homepageProducts } from '../../api/slots/reads.ts';
import { translator } from '../../locales/index.ts';
import { deepLinkOf } from '../understanding/deepLink.ts';
import { understand } from '../understanding/understand.ts';
import { askedFor, isPlain, shortAnswer, unknown } from './asking.ts';
import { agreed, answeredQuestion, contact, note, reason, report } from './contact.ts';
import { approve, ask, decidedWhy } from './deciding.ts';
import * as drafting from './drafting.ts';
import { photosCame } from './filling/draftPhotos.ts';
import { follow, guessed } from './guessing.ts';
import { health } from './health.ts';
import {
  begin as beginJoining,
  hidesNumber,
  join,
  joinAnew,
  joinBack,
  joining,
  noTown,
  numberCame,
  provenElsewhere,
} from './joining.ts';
import { labelsOf, pressed } from './labels.ts';
import {
  declined,
  language,
  left,
  link,
  linkAgreed,
  notices,
  signIn,
  speak,
  unlink,
} from './linking.ts';
import { byCategory, byPlace, byPrice, find, lane, market, more, show } from './market.ts';
import { balance, responses, statement } from './members.ts';
import { post } from './posts.ts';
import { askToProve, prove, unasked } from './proving.ts';
import { isLiveSlot } from './query.ts';
import { reports } from './reported.ts';
import { pending } from './review.ts';
import { button, common, menu, paragraphs, refusedReply } from './say.ts';
import { askTo, done, listing, mine, selling } from './selling.ts';
import type { Answer, Asked, Handler, Reply, Turn } from './types.ts';
import { adminCommands, type Command, commandIn, languageIn, type Said } from './words.ts';

const nothing: Handler = ({ t }) => ({ text: t('nothingOpen') });

const handlers: Record<Command, Handler> = {
  start,
  help,
  language,
  market,
  premium: lane('premium'),
  standard: lane('standard'),
  categories: byCategory,
  places: byPlace,
  price: byPrice,
  find,
  more,
  show,
  contact,
  report,
  post,
  mine: selling(mine),
  listing: selling(listing),
  relist: selling(askTo('relist')),
  sold: selling(askTo('sold')),
  withdraw: selling(askTo('withdraw')),
  verify: selling((turn) => askToProve(turn)),
  join,
  anew: joinAnew,
  sell: selling(drafting.sell),
  myDraft: selling(drafting.goOnWithDraft),
  freshDraft: selling(drafting.sellAfresh),
  back: selling(drafting.back),
  change: selling(drafting.change),
  same: nothing,
  done: selling(drafting.goOnWith),
  submit: selling(drafting.submit),
  discard: selling(drafting.discard),
  removePhoto: selling(drafting.remove),
  balance,
  statement,
  responses,
  link,
  signIn,
  unlink,
  notices,
  pending,
  approve,
  reject: ask('reject'),
  reports,
  dismiss: ask('dismiss'),
  remove: ask('remove'),
  health,
  yes: nothing,
  no: ({ t }) => ({ text: t('cancelled') }),
  skip: nothing,
};

/**
 * Answers one message, on any transport. Verbs check all rules; after a refusal the turn's changes
 * are dropped.
 */
export async function converse(turn: Turn, message: Message): Promise<Reply[]> {
  const { labels } = turn.state;
  const replies = await replied(turn, message);
  Object.assign(turn.state, message.wordless && labels ? { labels } : labelsOf(replies));
  return replies;
}

async function replied(
  turn: Turn,
  { text: given, number, anothersContact, wordless, language: spoken, photos = [] }: Message,
): Promise<Reply[]> {
  const { labels, ...kept } = turn.state;
  turn.state = kept;
  if (spoken !== undefined) turn.spoken = spoken;
  const text = pressed(given.slice(0, 4096).toWellFormed().replaceAll('\0', '').trim(), labels);
  if (anothersContact)
    return [hidesNumber(turn) ? await provenElsewhere(turn) : { text: turn.t('verify.anothers') }];
  if (wordless && unknownReader(turn))
    return [await guessed(turn, '', () => unreadable(turn))].flat();
  if (wordless) return [unreadable(turn)];
  const before = { ...turn.state };
  try {
    const answer =
      photos.length > 0
        ? await photosOf(turn, text)
        : number === undefined || text !== ''
          ? await answerTo(turn, text)
          : await numberOf(turn, number);
    return Array.isArray(answer) ? answer : [answer];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // The question is dropped all the same: the next message does not answer it.
    const { awaits: _, ...rest } = before;
    turn.state = { ...rest, ...(turn.again ? { awaits: turn.again } : {}) };
    turn.seen.length = 0;
    return [refusedReply(turn, error)];
  }
}

/** Adds photos to a seller's draft; for others the caption is answered as text. */
async function photosOf(turn: Turn, caption: string): Promise<Answer> {
  if (unknownReader(turn)) return guessed(turn, caption, () => photosOf(turn, caption));
  const { actor } = turn.ctx;
  const sells = 'seller' in actor && actor.seller && !actor.seller.suspended;
  if (!sells && understand(caption).intent !== 'unknown') return answerTo(turn, caption);
  const came = await selling((one) =>
    one.photos.length > 0 ? photosCame(one, caption) : { text: one.t('failed') },
  )(turn, { text: '', words: [] });
  return sells || caption === '' ? came : [came, await answerTo(turn, caption)].flat();
}

function unreadable(turn: Turn): Reply {
  const { t, state } = turn;
  if (state.awaits) return { text: paragraphs(t('wordless'), t('stillAsked')) };
  return {
    text: t('wordless'),
    buttons: [[button(turn, 'button.market', 'market'), button(turn, 'button.help', 'help')]],
  };
}

const unknownReader = ({ ctx, chat }: Turn): boolean =>
  ctx.actor.kind === 'visitor' && !chat.language;

/** Answers the open question: a profile's proof, or the last step of joining. */
function numberOf(turn: Turn, number: string): Promise<Answer> | Answer {
  const { actor } = turn.ctx;
  const { awaits } = turn.state;
  if (actor.kind !== 'visitor' && actor.kind !== 'member') {
    delete turn.state.awaits;
    return selling(() => (awaits?.kind === 'prove' ? prove(turn, awaits, number) : unasked(turn)))(
      turn,
      { text: '', words: [] },
    );
  }
  return unknownReader(turn)
    ? guessed(turn, '', () => numberCame(turn, awaits))
    : numberCame(turn, awaits);
}

async function answerTo(turn: Turn, text: string): Promise<Answer> {
  const { awaits } = turn.state;
  delete turn.state.awaits;
  const payload = /^\/start ([\w-]{1,64})$/.exec(text)?.[1];
  const fresh = unknownReader(turn);
  const chosen = awaits?.kind === 'language' ? chosenLanguage(turn, awaits, text) : undefined;
  if (chosen) return chosen;
  if (fresh) {
    const wanted =
      commandIn(text)?.command === 'language' ? languageIn(text.replace(/^\S+\s*/, '')) : undefined;
    return wanted ? begin(turn, wanted, '') : guessed(turn, text, () => answerTo(turn, text));
  }
  await follow(turn, text);
  if (payload) {
    const { command, words = [] } = deepLinkOf(payload);
    return handlers[command](turn, { text: words.join(' '), words });
  }
  const command = commandIn(
    text,
    (one) => turn.ctx.actor.kind === 'admin' || !adminCommands.has(one),
  );
  const plain = command?.exact && isPlain(command);
  const said = plain || !takesShort(awaits) ? command : (shortAnswer(text) ?? command);
  if (awaits) {
    const answer = await answered(turn, awaits, text, said);
    if (answer) return answer;
  }
  if (/^#?\s?\d{1,2}$/.test(text)) return show(turn, { text, words: [text.replace(/\D/g, '')] });
  const ofCard = said && aboutCard.has(said.command) && said.rest.length === 0;
  if (said && isPlain(said) && !ofCard)
    return handlers[said.command](turn, { text: restOf(text, said), words: said.rest });
  const answer = await askedFor(turn, text, (one, ...words) =>
    handlers[one](turn, { text: words.join(' '), words }),
  );
  return answer ?? unknown(turn);
}

/** Alone, these mean the card or the listing shown last. */
const aboutCard: ReadonlySet<Command> = new Set(['contact', 'sold', 'relist', 'withdraw', 'show']);

/** Questions answered in free words take yes, no and back only as the help shows them. */
const takesShort = (awaits: Asked | undefined): boolean =>
  !awaits || !['reason', 'note', 'why', 'code', 'draft'].includes(awaits.kind);

const restOf = (text: string, { rest }: Said): string =>
  rest.length === 0 ? '' : text.split(/\s+/).slice(-rest.length).join(' ');

/** Undefined if the text is no answer but a new message. */
async function answered(
  turn: Turn,
  awaits: Asked,
  text: string,
  said: Said | undefined,
): Promise<Answer | undefined> {
  const exact = said?.exact ? said.command : undefined;
  if (exact === 'no')
    return awaits.kind === 'draft'
      ? drafting.left(turn)
      : awaits.kind === 'link'
        ? declined(turn, awaits)
        : noTown(turn, awaits);
  const yes = exact === 'yes' && said?.rest.length === 0;
  // Help does not interrupt a draft or joining.
  if (exact === 'help' && (awaits.kind === 'draft' || awaits.kind === 'join')) {
    turn.state.awaits = awaits;
    return help(turn);
  }
  switch (awaits.kind) {
    case 'contact':
    case 'act':
      if (!yes) return undefined;
      return awaits.kind === 'contact'
        ? agreed(turn, awaits)
        : selling(() => done(turn, awaits))(turn, { text: '', words: [] });
    case 'newcomer':
      return answeredQuestion(turn, awaits, text, Boolean(exact) && !/^\d/.test(text));
    case 'reason':
      return exact && !/^\d$/.test(text) ? undefined : reason(turn, awaits, text);
    case 'note':
      if (text.startsWith('/')) return undefined;
      return note(turn, awaits, exact === 'skip' ? undefined : text);
    case 'draft':
      return selling(() => drafting.answered(turn, awaits, text, said) as Promise<Answer>)(turn, {
        text,
        words: [],
      });
    case 'discard':
      return yes
        ? selling(() => drafting.discarded(turn, awaits))(turn, { text, words: [] })
        : undefined;
    case 'join':
      if (exact === 'anew') return beginJoining(turn, { ...awaits, anew: true });
      if (exact === 'back') return joinBack(turn, awaits);
      if (exact && !yes && !(awaits.step === 'region' && /^\d{1,2}$/.test(text))) return undefined;
      return joining(turn, awaits, text, yes);
    case 'link':
      return yes ? linkAgreed(turn, awaits) : undefined;
    case 'unlink':
      return yes ? left(turn, { anyway: true }) : undefined;
    case 'prove': {
      const { number } = turn.ctx.client;
      if (!yes) return undefined;
      const asked = awaits.takes === undefined ? awaits : { ...awaits, agreed: true as const };
      return selling(() =>
        number === undefined ? askToProve(turn, asked) : prove(turn, asked, number),
      )(turn, { text: '', words: [] });
    }
    case 'code':
      return exact ? undefined : link(turn, { text, words: [text] });
    case 'why':
      // A reason may begin with any word, so only a command alone, or with digits, counts as one.
      return exact && said?.rest.every((word) => /\d/.test(word))
        ? undefined
        : decidedWhy(turn, awaits, text);
    case 'onward':
      return said?.rest.length === 0 && (exact === 'more' || exact === 'skip')
        ? { pending, reports }[awaits.list](turn, { text: '', words: [String(awaits.n)] })
        : undefined;
    default:
      return undefined;
  }
}

/** Undefined if the text names no language: it is then a message of its own. */
function chosenLanguage(
  turn: Turn,
  { then }: Extract<Asked, { kind: 'language' }>,
  text: string,
): Promise<Answer> | undefined {
  const words = commandIn(text)?.command === 'language' ? text.replace(/^\S+\s*/, '') : text;
  const wanted = languageIn(words);
  return wanted ? begin(turn, wanted, then) : undefined;
}

/** Also answers the message that came before the language was known. */
async function begin(
  turn: Turn,
  wanted: Parameters<typeof speak>[1],
  then: string,
): Promise<Answer> {
  const kept = await speak(turn, wanted);
  turn.chat = { ...turn.chat, language: wanted };
  const next = then
    ? await answerTo(turn, then)
    : turn.ctx.actor.kind === 'visitor'
      ? await start(turn)
      : [];
  return [kept, ...(Array.isArray(next) ? next : [next])];
}

async function start(turn: Turn): Promise<Reply> {
  const { ctx, t } = turn;
  const live = (await homepageProducts(ctx)).filter((slot) => isLiveSlot(slot, ctx.now())).length;
  const hello =
    'name' in ctx.actor &&
    ctx.actor.kind !== 'job' &&
    t('start.signedIn', { name: ctx.actor.name });
  return {
    text: paragraphs(
      hello,
      common(ctx.language)('brand.oneSentence'),
      t('start.live', { count: live }),
      t('start.hint'),
    ),
    buttons: menu(turn),
  };
}

function help({ ctx, t }: Turn): Reply {
  const visitor = ctx.actor.kind === 'visitor';
  const seller = 'seller' in ctx.actor && ctx.actor.seller;
  const admin = ctx.actor.kind === 'admin' && t('help.admin');
  return {
    text: paragraphs(
      t('help.title'),
      t('help.buyer'),
      seller && t('help.seller'),
      visitor ? t('help.stranger') : t('help.member'),
      admin,
      t('help.end'),
    ),
  };
}

/** A turn that continues from the chat's kept state. */
export const turnOf = (
  ctx: Turn['ctx'],
  chat: Turn['chat'],
  state: Turn['state'],
  photos: Turn['photos'] = [],
): Turn => ({
  ctx,
  chat,
  state: { ...state },
  t: translator(ctx.language, 'bot'),
  changes: {},
  photos,
  seen: [],
});
