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
  /** Requires a strong password. */
  admin: boolean;
  /** Deletion date if it were requested now. */
  goneAt: string;
  /** Links that open the market's chat. */
  ways: ChatWay[];
  links: {
    signIn: string;
    profile: string;
    start: string;
    factor: string;
    credits: string;
    google?: string | undefined;
  };
  /** Token of the mailed link that confirms a first address. */
  confirm?: string | undefined;
  words: AccountWords;
};

/** Helpers of the linked chats, on any page. */
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
    /** Reloads the page and shows a toast. */
    again(title: string, text?: string): void {
      leaveFlash({ tone: 'success', title, ...(text === undefined ? {} : { text }) });
      window.location.reload();
    },
  };
}

/** Helpers of all parts of the account page. */
export const screenOf = ({ language, words, links, account }: AccountProps) => ({
  ...chatScreenOf({ language, words, signIn: links.signIn }),
  account,
  words,
});
export type AccountScreen = ReturnType<typeof screenOf>;
