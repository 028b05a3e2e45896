import { button } from './say.ts';
import type { AdminList, Args, Button, Decided, Reply, Turn } from './types.ts';

/** What an admin can do about what is shown. */
export type Decision = 'approve' | 'reject' | 'dismiss' | 'remove';

const letters = { product: 'p', change: 'c', listing: 'l', post: 't' } as const;
const kinds = Object.keys(letters) as Decided['what'][];

export const listOf = ({ what }: Decided): AdminList =>
  what === 'product' || what === 'change' ? 'pending' : 'reports';

/** What a button says of what it is about: whole, and as it was seen, so that one of an old message still means the same. */
const marks = ({ what, id, seen }: Decided): [string, string] => [
  id.replaceAll('-', ''),
  `${letters[what]}${Date.parse(seen).toString(36)}`,
];

/** What somebody decides about: what a button says, else what was shown last. */
export function decidedIn(
  { state }: Turn,
  { words: [id = '', mark = ''] }: Args,
): Decided | undefined {
  if (!id) return state.decides;
  const what = kinds.find((kind) => letters[kind] === mark[0]);
  const seen = /^.[0-9a-z]{8,9}$/.test(mark)
    ? new Date(Number.parseInt(mark.slice(1), 36)).toISOString()
    : undefined;
  if (!what || !seen) return undefined;
  if (what === 'post') return /^[a-hjkmnp-z2-9]{8}$/.test(id) ? { what, id, seen } : undefined;
  const uuid = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(id);
  return uuid ? { what, id: uuid.slice(1).join('-'), seen } : undefined;
}

/** What can be done about something: the buttons that say so. */
export const decisions = (turn: Turn, about: Decided, can: readonly Decision[]): Button[] =>
  can.map((one) =>
    button(
      turn,
      about.what === 'post' && one === 'remove' ? 'button.hide' : `button.${one}`,
      one,
      ...marks(about),
    ),
  );

/**
 * One of a list, as it is shown: its pictures, its words, and last what can be done with it. What is decided next without saying about what is
 * decided about this.
 */
export function oneOf(
  turn: Turn,
  about: Decided,
  at: { n: number; total: number },
  { texts, pictures = [], buttons }: Shown,
): Reply[] {
  const { n, total } = at;
  const list = listOf(about);
  turn.state.decides = { ...about, n };
  const next = n < total ? n + 1 : 1;
  if (total > 1) turn.state.awaits = { kind: 'onward', list, n: next };
  const onward = total > 1 ? [[button(turn, 'button.next', list, next)]] : [];
  return [
    ...pictures,
    ...texts.map((text, order) =>
      order === texts.length - 1 ? { text, buttons: [...buttons, ...onward] } : { text },
    ),
  ];
}
export type Shown = { texts: string[]; pictures?: Reply[]; buttons: Button[][] };

/** The place in a list that was named; the first where none was. */
export const placeIn = ({ words: [word = ''] }: Args): number =>
  /^\d{1,4}$/.test(word) ? Math.max(1, Number(word)) : 1;
