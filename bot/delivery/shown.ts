import { offerNumbers } from '../../api/chats/chat.ts';
import type { Button, Reply } from '../../api/core/chatMessages.ts';
import type { Ctx } from '../../api/core/context.ts';
import { translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import { lines, paragraphs, short } from '../delivery/layout.ts';

type Saying = Extract<Button, { say: string }>;
export const saying = ({ buttons = [] }: Reply): Saying[] =>
  buttons.flat().filter((button): button is Saying => 'say' in button);
/** URL buttons as text: an address can be tapped everywhere. */
const addresses = ({ buttons = [] }: Reply): string =>
  lines(...buttons.flat().map((button) => 'url' in button && `${button.label}:\n${button.url}`));

/** False for addresses that networks refuse below a message, such as `http://localhost`. */
export function opensByButton(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return /^https?:$/.test(protocol) && hostname.includes('.');
}

/** Writes the addresses that no button can open into the text. */
export function withAddresses({ buttons = [], ...reply }: Reply): Reply {
  const refused = (button: Button) => 'url' in button && !opensByButton(button.url);
  if (!buttons.flat().some(refused)) return { ...reply, buttons };
  const text = paragraphs(
    reply.text,
    addresses({ text: '', buttons: [buttons.flat().filter(refused)] }),
  );
  const rest = buttons.map((row) => row.filter((one) => !refused(one)));
  return { ...reply, text, buttons: rest.filter((row) => row.length > 0) };
}

/**
 * A reply for transports without buttons, with a number for each. Only the text is cut, never the
 * numbers.
 */
export async function inWords(
  ctx: Ctx,
  keyHash: string,
  language: Language,
  reply: Reply,
  most: number,
): Promise<string> {
  const numbers = await offerNumbers(ctx, keyHash, saying(reply));
  const below = paragraphs(
    addresses(reply),
    numbers.length > 0 && lines(translator(language, 'bot')('numbers'), ...numbers),
  );
  return paragraphs(short(reply.text, most - Array.from(below).length - 2), below);
}
