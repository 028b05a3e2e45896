import type { Language } from '../../locales/languages.ts';
import { type Command, typed } from '../core/commands.ts';
import type { Env } from '../core/env.ts';
import { productCode } from '../products/rules.ts';
import { typedCode } from './rules.ts';

/** Where the chat is found, as the configuration says. */
export type ChatNames = Pick<Env, 'TELEGRAM_BOT_NAME' | 'WHATSAPP_NUMBER'>;
/** What a link into the chat opens there. */
export type ChatTarget =
  | 'start'
  | 'sell'
  | 'link'
  | { slot: number }
  | { product: string }
  | { post: string }
  | { code: string };
/** Where the chat is opened: only the networks that the market has said it is on. */
export type ChatLinks = { telegram?: string; whatsapp?: string };

/** What is typed in the chat for the same. */
function wordsFor(target: ChatTarget): [Command, ...string[]] {
  if (typeof target === 'string') return [target];
  if ('slot' in target) return ['show', String(target.slot)];
  if ('product' in target) return ['show', productCode(target.product)];
  return 'post' in target ? ['post', target.post] : ['link', target.code];
}

/** Telegram's start parameter: at most 64 of letters, digits, `_` and `-`. */
function parameterFor(target: ChatTarget): string | undefined {
  if (typeof target === 'string') return target === 'start' ? undefined : target;
  if ('slot' in target) return `s-${target.slot}`;
  if ('product' in target) return `p-${productCode(target.product)}`;
  return 'post' in target ? `c-${target.post}` : `l-${typedCode(target.code)}`;
}

/** Links into the chat, as the configuration knows it; on WhatsApp the words stand ready to be sent. */
export function chatLinks(
  env: Partial<ChatNames>,
  language: Language,
  target: ChatTarget = 'start',
): ChatLinks {
  const { TELEGRAM_BOT_NAME: bot, WHATSAPP_NUMBER: number } = env;
  const parameter = parameterFor(target);
  const [command, ...rest] = wordsFor(target);
  return {
    ...(bot ? { telegram: `https://t.me/${bot}${parameter ? `?start=${parameter}` : ''}` } : {}),
    ...(number
      ? {
          whatsapp: `https://wa.me/${number}?text=${encodeURIComponent(typed(language, command, ...rest))}`,
        }
      : {}),
  };
}
