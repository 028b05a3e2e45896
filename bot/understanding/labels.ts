import type { Reply } from '../../api/core/chatMessages.ts';
import { dictionaries } from '../../locales/index.ts';
import { type Language, languages } from '../../locales/languages.ts';
import type { State } from './state.ts';
import { type Command, commandIn, tokensOf, typed } from './words.ts';

type Label = keyof (typeof dictionaries)['en']['bot']['button'];

/** Commands of labels that are typed when their button is not under the last answer. */
const commandOf: Partial<Record<Label, Command>> = {
  back: 'market',
  contact: 'contact',
  report: 'report',
  alerts: 'alert',
  pauseAlert: 'pauseAlert',
  resumeAlert: 'resumeAlert',
  endAlert: 'endAlert',
  agree: 'yes',
  linkIt: 'yes',
  notNow: 'no',
  mine: 'mine',
  relist: 'relist',
  relistAtEnd: 'relist',
  sold: 'sold',
  withdraw: 'withdraw',
  verify: 'verify',
  link: 'link',
  signIn: 'signIn',
  posts: 'responses',
  hide: 'remove',
  next: 'more',
  listing: 'listing',
  join: 'join',
  sell: 'sell',
  same: 'same',
  submit: 'submit',
  discard: 'discard',
  draftBack: 'back',
};
const named = (label: string): string => tokensOf(label).join(' ');
const known = new Map(
  languages.flatMap((language) =>
    Object.entries(dictionaries[language].bot.button).flatMap(([key, label]) => {
      const command = commandOf[key as Label];
      return command ? [[named(label), { command, language }] as const] : [];
    }),
  ),
);
const notices = new Map(
  languages.flatMap((language) =>
    (['noticesOn', 'noticesOff'] as const).map(
      (key) =>
        [
          named(dictionaries[language].bot.button[key]),
          typed(language, 'notices', key === 'noticesOn' ? 'on' : 'off'),
        ] as const,
    ),
  ),
);

/** The text that a button sends, if its label was typed as shown; else the text itself. */
export function pressed(text: string, labels: State['labels'] = {}): string {
  if (text.length > longest) return text;
  const label = named(text);
  if (Object.hasOwn(labels, label)) return labels[label] as string;
  if (commandIn(text)?.exact && commandIn(text)?.rest.length === 0) return text;
  const found = known.get(label);
  return notices.get(label) ?? (found ? inLanguage(found) : text);
}

const inLanguage = ({ command, language }: { command: Command; language: Language }): string =>
  typed(language, command);

const longest = 60;
const most = 30;

/** Labels of an answer's buttons; numbers are understood without. */
export function labelsOf(replies: readonly Reply[]): Pick<State, 'labels'> {
  const shown = replies.flatMap(({ buttons = [] }) => buttons.flat()).slice(0, most);
  const labels = shown.flatMap((one): [string, string][] => {
    const label = named(one.label);
    return 'say' in one && /\p{L}/u.test(label) && label !== named(one.say)
      ? [[label.slice(0, longest), one.say]]
      : [];
  });
  return labels.length > 0 ? { labels: Object.fromEntries(labels) } : {};
}
