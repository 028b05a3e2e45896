import type { InferResponseType } from 'hono/client';
import { clientTranslator } from '../../../../locales/client.ts';
import type { Language } from '../../../../locales/languages.ts';
import { type ApiClient, browserApi } from '../../lib/api.ts';
import { leaveFlash } from '../../lib/flash.ts';
import type { ChatWay } from '../chat/ways.ts';
import type { AccountWords, ChatWords } from './words.ts';

export type OwnAccount = InferResponseType<ApiClient['account']['$get'], 200>;
export type AccountProps = {
  language: Language;
  account: OwnAccount;
  /** An admin's password has to be strong. */
  admin: boolean;
  /** When it would go, if its deletion were asked for now. */
  goneAt: string;
  /** Where the market's chat is opened. */
  ways: ChatWay[];
  links: {
    signIn: string;
    profile: string;
    start: string;
    factor: string;
    credits: string;
    google?: string | undefined;
  };
  /** Of the mailed link that proves a first address. */
  confirm?: string | undefined;
  words: AccountWords;
};

/** What the linked chats have at hand, wherever they stand. */
export function chatScreenOf<W extends ChatWords>({
  language,
  words,
  signIn,
}: {
  language: Language;
  words: W;
  signIn: string;
}) {
  return {
    t: clientTranslator(language, words),
    language,
    signIn,
    api: browserApi(language),
    connection: words.connection,
    /** Shows the page as it is now, with what was done. */
    again(title: string, text?: string): void {
      leaveFlash({ tone: 'success', title, ...(text === undefined ? {} : { text }) });
      window.location.reload();
    },
  };
}

/** What every part of the account page has at hand. */
export const screenOf = ({ language, words, links, account }: AccountProps) => ({
  ...chatScreenOf({ language, words, signIn: links.signIn }),
  account,
  words,
});
export type AccountScreen = ReturnType<typeof screenOf>;
