import { ownProducts } from '../../api/products/reads.ts';
import { teamContact } from '../../api/sellers/reads.ts';
import { phoneText } from '../../api/shared/contact/readPhone.ts';
import { nameIn } from '../../api/shared/format.ts';
import { slotNumber } from '../../api/shared/slots.ts';
import { productCode } from '../../api/shared/slugs/productCode.ts';
import { money } from '../../api/shared/text.ts';
import type { HomepageSlot } from '../../api/slots/reads.ts';
import { translator } from '../../locales/index.ts';
import { type Intent, type Understood, understand } from '../understanding/understand.ts';
import { contact, report } from './contact.ts';
import { finds, list, market, show, stallIn } from './market.ts';
import { type Query, queryIn } from './query.ts';
import { button, lines, paragraphs, short, timeLeft } from './say.ts';
import { askTo, listing, mine, offered, selling } from './selling.ts';
import type { Answer, Args, Reply, State, Turn } from './types.ts';
import { type Command, languageIn, type Said, typed } from './words.ts';

type Handle = (command: Command, ...words: string[]) => Promise<Answer> | Answer;
type Meant = Understood & { text: string };

/** Commands whose words also begin ordinary sentences ("prix du 12"). */
const loose: ReadonlySet<Command> = new Set([
  'contact',
  'find',
  'help',
  'listing',
  'market',
  'more',
  'price',
  'relist',
  'show',
  'sold',
  'start',
  'withdraw',
]);

/** True for a command as the help shows it: alone, or before a number or a code. */
export const isPlain = ({ command, rest }: Said): boolean =>
  rest.length === 0 ||
  !loose.has(command) ||
  /^(?:\d{1,9}|[0-9a-f]{8}|[0-9a-f]{32})$/.test(rest[0] as string);

/** Yes, no and back, as people write them; undefined for anything else. */
export function shortAnswer(text: string): Said | undefined {
  const { intent } = understand(text);
  return intent === 'yes' || intent === 'no' || intent === 'back'
    ? { command: intent, rest: [], exact: true }
    : undefined;
}

/** Answers a sentence by its intent; undefined if it has none. */
export async function askedFor(
  turn: Turn,
  text: string,
  handle: Handle,
): Promise<Answer | undefined> {
  const meant = { ...understand(text, { card: turn.state.card?.slot }), text };
  const answer = answers[meant.intent];
  return answer?.(turn, meant, handle);
}

type Answering = (turn: Turn, meant: Meant, handle: Handle) => Promise<Answer> | Answer | undefined;

const argsOf = ({ number }: Meant, state?: State): Args => {
  const code = state?.card && state.card.slot === number ? [state.card.code] : [];
  return { text: '', words: number === undefined ? [] : [String(number), ...code] };
};

/** About a stall by its number or "it"; about a product by its name. */
const aboutStall =
  (one: (turn: Turn, args: Args) => Promise<Answer> | Answer): Answering =>
  (turn, meant) =>
    meant.number === undefined && (meant.words.length > 0 || meant.price)
      ? searched(turn, meant)
      : one(turn, argsOf(meant, turn.state));

const ownListing =
  (act: 'sold' | 'relist' | 'withdraw'): Answering =>
  (turn, meant) =>
    selling(async (one, args) => {
      const words = args.words.length > 0 ? args.words : await onlyOne(one, act);
      return words.length > 0 ? askTo(act)(one, { text: '', words }) : mine(one);
    })(turn, argsOf(meant));

/** The listing shown last, or the only one for which the act is possible. */
async function onlyOne(
  { ctx, state }: Turn,
  act: 'sold' | 'relist' | 'withdraw',
): Promise<string[]> {
  if (state.own) return [state.own];
  const { products } = await ownProducts(ctx, { pageSize: 20 });
  const able = products.filter((product) => offered(product).includes(act));
  return able.length === 1 ? able.map(({ id }) => productCode(id)) : [];
}

const answers: Record<Intent, Answering> = {
  greeting: async (turn, meant, handle) =>
    meant.words.length > 0 && (await finds(turn, { words: meant.words }))
      ? searched(turn, meant)
      : handle('start'),
  thanks: ({ t, ...turn }) => ({
    text: t('thanks'),
    buttons: [[button({ ...turn, t }, 'button.market', 'market')]],
  }),
  help: (_, __, handle) => handle('help'),
  human: (turn) => human(turn),
  contact: aboutStall(contact),
  price: aboutStall(priceOf),
  available: aboutStall(available),
  show: aboutStall(show),
  search: (turn, meant) => searched(turn, meant),
  browse: (turn) => market(turn),
  scam: (turn, meant) => (meant.number === undefined ? scam(turn) : report(turn, argsOf(meant))),
  sell: (_, __, handle) => handle('sell'),
  status: (turn, meant) =>
    selling(meant.number === undefined ? mine : listing)(turn, argsOf(meant)),
  renew: ownListing('relist'),
  sold: ownListing('sold'),
  withdraw: ownListing('withdraw'),
  stop: (_, __, handle) => handle('notices', 'off'),
  resume: (_, __, handle) => handle('notices', 'on'),
  language: (_, { text }, handle) => {
    const named = text.split(/\s+/).find((word) => word.length > 2 && languageIn(word));
    return handle('language', ...(named ? [named] : []));
  },
  yes: (_, __, handle) => handle('yes'),
  no: (_, __, handle) => handle('no'),
  back: (_, __, handle) => handle('back'),
  unknown: async (turn, { words, text }) => {
    const query: Query = { ...queryIn(text), words };
    return words.length > 0 && (await finds(turn, query)) ? list(turn, query) : unknown(turn);
  },
};

function searched(turn: Turn, { words, price, text }: Meant): Promise<Answer> {
  const { lane } = queryIn(text);
  return list(turn, {
    ...(words.length > 0 && { words: words.slice(0, 8) }),
    ...price,
    ...(lane && { lane }),
  });
}

/** Numbered choices for a message that is not understood, and a way to a person. */
export function unknown(turn: Turn): Reply {
  const { t, ctx, state } = turn;
  const choices = (['market', 'categories', 'sell', 'help', 'human'] as const).map((choice, n) => ({
    number: String(n + 1),
    words: t(`choices.${choice}`),
    say: choice === 'human' ? t('choices.human') : typed(ctx.language, choice),
  }));
  state.choices = Object.fromEntries(choices.map(({ number, say }) => [number, say]));
  return {
    text: paragraphs(
      t('unknown'),
      lines(...choices.map(({ number, words }) => t('choices.line', { number, words }))),
    ),
    buttons: [choices.map(({ number, say }) => ({ label: number, say }))],
  };
}

async function human(turn: Turn): Promise<Reply> {
  const { t, ctx } = turn;
  const { email, whatsapp } = await teamContact(ctx);
  const digits = (whatsapp ?? '').replaceAll(/\D/g, '');
  return {
    text:
      email || whatsapp
        ? lines(t('human.how'), email, whatsapp && phoneText(whatsapp))
        : t('human.none'),
    buttons: [
      ...(digits ? [[{ label: t('button.openWhatsapp'), url: `https://wa.me/${digits}` }]] : []),
      [button(turn, 'button.market', 'market')],
    ],
  };
}

/** What to do about a fraud, before a stall is named. */
async function scam(turn: Turn): Promise<Reply> {
  const { buttons = [], text } = await human(turn);
  const shop = translator(turn.ctx.language, 'shop');
  const rules = (['safetyPlace', 'safetyCheck', 'safetyMoney'] as const).map(
    (key) => `• ${shop(`contact.${key}`)}`,
  );
  return {
    text: paragraphs(turn.t('scam.which'), lines(shop('contact.safetyTitle'), ...rules), text),
    buttons,
  };
}

async function oneLine(
  turn: Turn,
  args: Args,
  answer: (slot: HomepageSlot, title: string) => string,
): Promise<Reply> {
  const found = await stallIn(turn, args);
  if ('reply' in found) return found.reply;
  const { slot } = found;
  const code = productCode(slot.product_id ?? '');
  turn.state.card = { slot: slot.slot_id, code };
  const name = short(nameIn(slot.product_name, turn.ctx.language), 120);
  const title = turn.t('stall.title', { slot: slotNumber(slot.slot_id), name });
  return {
    text: answer(slot, title),
    buttons: [
      [
        button(turn, 'button.contact', 'contact', slot.slot_id, code),
        button(turn, 'button.show', 'show', slot.slot_id),
      ],
    ],
  };
}

function priceOf(turn: Turn, args: Args): Promise<Reply> {
  const { t, ctx } = turn;
  return oneLine(turn, args, ({ product_price: price }, title) =>
    paragraphs(
      title,
      lines(
        price
          ? t('market.price', { price: money(price, ctx.language) })
          : translator(ctx.language, 'shop')('page.priceOnRequest'),
        t('stall.bargain'),
      ),
    ),
  );
}

function available(turn: Turn, args: Args): Promise<Reply> {
  const { t, ctx } = turn;
  return oneLine(turn, args, ({ end_time }, title) =>
    paragraphs(
      title,
      t('stall.stillThere', { time: timeLeft(turn, end_time ?? ctx.now(), ctx.now()) }),
    ),
  );
}
