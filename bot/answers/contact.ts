import type { Question } from '../../api/contact/challenge.ts';
import { requestContact } from '../../api/contact/request.ts';
import type { Reply } from '../../api/contact/schema.ts';
import { Refusal } from '../../api/shared/errors.ts';
import { nameIn } from '../../api/shared/format.ts';
import { slotNumber } from '../../api/shared/slots.ts';
import { translator } from '../../locales/index.ts';
import { paragraphs, short } from '../delivery/layout.ts';
import type { Asked } from '../understanding/state.ts';
import { button, common, refusedReply, safety } from './say.ts';
import { stallIn } from './stall.ts';
import type { Answer, Args, Reply as BotReply, Turn } from './types.ts';

type Newcomer = Extract<Asked, { kind: 'newcomer' }>;

/** Asks for consent to a contact every time; the number is looked up only after a yes. */
export async function contact(turn: Turn, args: Args): Promise<Answer> {
  const found = await stallIn(turn, args);
  if ('reply' in found) return found.reply;
  const { ctx, t, state } = turn;
  const { slot_id: slot, product_id: product, product_name } = found.slot;
  const shop = translator(ctx.language, 'shop');
  const name = short(nameIn(product_name, ctx.language), 120);
  state.awaits = { kind: 'contact', product: product ?? '', slot };
  return {
    text: paragraphs(
      t('contact.title', { name, slot: slotNumber(slot) }),
      shop('contact.what', { name }),
      shop('contact.record'),
      safety(ctx.language),
      t('contact.ask'),
    ),
    buttons: [[button(turn, 'button.agree', 'yes'), button(turn, 'button.notNow', 'no')]],
  };
}

/**
 * Answers with a link that holds the number; `requestContact` checks consent and limit, and may put
 * a question first.
 */
export async function agreed(
  turn: Turn,
  { product, slot }: Pick<Newcomer, 'product' | 'slot'>,
  reply?: Reply,
): Promise<Answer> {
  const { ctx, t } = turn;
  const found = await stallIn(turn, { text: '', words: [String(slot)] });
  if ('reply' in found || found.slot.product_id !== product)
    return { text: t('stall.gone'), buttons: [[button(turn, 'button.market', 'market')]] };
  const contacted = await requestContact(ctx, product, true, reply).catch((error) =>
    questionIn(turn, { product, slot }, error),
  );
  if ('text' in contacted) return contacted;
  const { link } = contacted;
  const name = short(nameIn(found.slot.product_name, ctx.language), 120);
  return {
    text: paragraphs(
      t('contact.link', { name }),
      ctx.services.env.demo && common(ctx.language)('demo.contact'),
    ),
    // Alone, so that WhatsApp shows it as a button.
    buttons: [[{ label: t('button.openWhatsapp'), url: link }]],
  };
}

/** Repeats the question with the reason; passes every other refusal on. */
function questionIn(
  turn: Turn,
  about: Pick<Newcomer, 'product' | 'slot'>,
  error: unknown,
): BotReply {
  if (!(error instanceof Refusal) || !error.details?.token) throw error;
  const { token, question, seconds } = error.details as Question;
  turn.state.awaits = { kind: 'newcomer', ...about, asks: question, token };
  return {
    text: paragraphs(
      error.code === 'contact.tooEarly'
        ? turn.t('contact.early', { seconds: String(seconds) })
        : refusedReply(turn, error).text,
      question,
    ),
    buttons: [[button(turn, 'button.notNow', 'no')]],
  };
}

const folded = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Judges an answer to the question; undefined for a command or a sentence of its own. */
export function answeredQuestion(
  turn: Turn,
  awaits: Newcomer,
  text: string,
  isCommand: boolean,
): Promise<Answer> | undefined {
  // A word of the question's list may also be a command.
  const listed = folded(awaits.asks).includes(folded(text));
  if (text.startsWith('/') || text.split(/\s+/).length > 3 || (isCommand && !listed))
    return undefined;
  const digits = text.match(/\d+/g) ?? [];
  const answer = digits.length === 1 ? (digits[0] as string) : text.slice(0, 200);
  return agreed(turn, awaits, { token: awaits.token, answer });
}
