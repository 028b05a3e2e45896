import type { InferResponseType } from 'hono/client';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Language } from '../../../../locales/languages.ts';
import { type ApiClient, browserApi } from '../../lib/api.ts';
import { leaveFlash } from '../../lib/flash.ts';
import type { AccountWords } from './words.ts';

export type OwnAccount = InferResponseType<ApiClient['account']['$get'], 200>;
export type AccountProps = {
  language: Language;
  account: OwnAccount;
  /** An admin's password has to be strong. */
  admin: boolean;
  /** When it would go, if its deletion were asked for now. */
  goneAt: string;
  links: { signIn: string; profile: string; start: string; factor: string; credits: string; google?: string | undefined };
  /** Of the mailed link that proves a first address. */
  confirm?: string | undefined;
  words: AccountWords;
};

/** What every part of the account page has at hand. */
export function screenOf({ language, words, links, account }: AccountProps) {
  const t = clientTranslator(language, words);
  return {
    t,
    language,
    account,
    words,
    signIn: links.signIn,
    api: browserApi(language),
    connection: words.connection,
    /** Shows the page as it is now, with what was done. */
    again(title: string, text?: string): void {
      leaveFlash({ tone: 'success', title, ...(text === undefined ? {} : { text }) });
      window.location.reload();
    },
  };
}
export type AccountScreen = ReturnType<typeof screenOf>;
