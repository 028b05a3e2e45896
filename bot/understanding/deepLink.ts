import type { Command } from '../../api/shared/commands.ts';
import { type Language, languages } from '../../locales/languages.ts';

/** Commands of a deep link's payload (api/chats/deepLinks.ts). */
const linked: Record<string, Command> = {
  s: 'show',
  p: 'show',
  c: 'post',
  l: 'link',
  link: 'link',
  sell: 'sell',
};

const ending = /(?:^|_)([a-z]{2,3})$/;
const languageIn = (payload: string): Language | undefined =>
  languages.find((one) => one === ending.exec(payload)?.[1]);

/** The payload of a deep link; undefined for other texts. */
export const payloadIn = (text: string): string | undefined =>
  /^\/start ([\w-]{1,64})$/.exec(text)?.[1];

/** Language of the page that held a deep link; undefined for other texts. */
export const pageLanguage = (text: string): Language | undefined =>
  languageIn(payloadIn(text) ?? '');

/** The command that a deep link's payload stands for; anything unknown starts the chat. */
export function deepLinkOf(payload: string): { command: Command; words?: string[] } {
  const bare = languageIn(payload) ? payload.replace(ending, '') : payload;
  const [, kind = '', rest] = /^([a-z]+)(?:[-_](.+))?$/.exec(bare) ?? [];
  const known = Object.hasOwn(linked, kind) && (kind.length === 1) === (rest !== undefined);
  return {
    command: (known && linked[kind]) || 'start',
    ...(known && rest !== undefined ? { words: [rest.toLowerCase()] } : {}),
  };
}
