import type { Language } from '../../locales/languages.ts';
import type { Env } from '../ops/env.ts';
import { type Command, typed } from '../shared/commands.ts';
import { productCode } from '../shared/slugs/productCode.ts';
import { typedCode } from './rules.ts';

export type ChatNames = Pick<Env, 'TELEGRAM_BOT_NAME' | 'WHATSAPP_NUMBER'>;
export type ChatTarget =
  | 'start'
  | 'sell'
  | 'link'
  | { slot: number }
  | { product: string }
  | { post: string }
  | { code: string };
export type ChatLinks = { telegram?: string; whatsapp?: string };

function wordsFor(target: ChatTarget): [Command, ...string[]] {
  if (typeof target === 'string') return [target];
  if ('slot' in target) return ['show', String(target.slot)];
  if ('product' in target) return ['show', productCode(target.product)];
  return 'post' in target ? ['post', target.post] : ['link', target.code];
}

/** Telegram allows at most 64 of letters, digits, `_` and `-`. */
function parameterFor(target: ChatTarget): string | undefined {
  if (typeof target === 'string') return target === 'start' ? undefined : target;
  if ('slot' in target) return `s-${target.slot}`;
  if ('product' in target) return `p-${productCode(target.product)}`;
  return 'post' in target ? `c-${target.post}` : `l-${typedCode(target.code)}`;
}

/**
 * Links into the chat in the page's language: on WhatsApp the command is prefilled in it, Telegram's
 * parameter ends in it.
 */
export function chatLinks(
  env: Partial<ChatNames>,
  language: Language,
  target: ChatTarget = 'start',
): ChatLinks {
  const { TELEGRAM_BOT_NAME: bot, WHATSAPP_NUMBER: number } = env;
  const parameter = [parameterFor(target), language].filter(Boolean).join('_');
  const [command, ...rest] = wordsFor(target);
  return {
    ...(bot ? { telegram: `https://t.me/${bot}?start=${parameter}` } : {}),
    ...(number
      ? {
          whatsapp: `https://wa.me/${number}?text=${encodeURIComponent(typed(language, command, ...rest))}`,
        }
      : {}),
  };
}

/** Path of a live listing's picture for a status (statusPicture.ts). */
export const statusPicturePath = (productId: string, language: Language): string =>
  `/media/cards/status-${productCode(productId)}-${language}.jpg`;
/** Path of a live listing's code to print, which holds its deep link (listingCode.ts). */
export const listingCodePath = (productId: string, language: Language): string =>
  `/media/cards/code-${productCode(productId)}-${language}.jpg`;
