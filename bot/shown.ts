import { offerNumbers } from '../api/chats/chat.ts';
import type { Button, Reply } from '../api/chats/replies.ts';
import type { Ctx } from '../api/core/context.ts';
import { translator } from '../locales/index.ts';
import type { Language } from '../locales/languages.ts';
import { lines, paragraphs, short } from './conversation/say.ts';

type Saying = Extract<Button, { say: string }>;
/** The buttons that write something. */
export const saying = ({ buttons = [] }: Reply): Saying[] =>
  buttons.flat().filter((button): button is Saying => 'say' in button);
/** Those that open an address, as lines: an address in a text can be tapped everywhere. */
const addresses = ({ buttons = [] }: Reply): string =>
  lines(...buttons.flat().map((button) => 'url' in button && `${button.label}:\n${button.url}`));

/**
 * A reply where there are no buttons: words alone, with a number for each button, which then says what the button says. The words are cut, not the
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
