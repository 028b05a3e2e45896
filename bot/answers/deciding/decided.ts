import type { AdminList, Decided } from '../../understanding/state.ts';
import { button } from '../say.ts';
import type { Args, Button, Reply, Turn } from '../types.ts';

export type Decision = 'approve' | 'reject' | 'dismiss' | 'remove';

const letters = { product: 'p', change: 'c', listing: 'l', post: 't' } as const;
const kinds = Object.keys(letters) as Decided['what'][];

export const listOf = ({ what }: Decided): AdminList =>
  what === 'product' || what === 'change' ? 'pending' : 'reports';

/** Full id and version, so a button in an old message keeps its meaning. */
const marks = ({ what, id, seen }: Decided): [string, string] => [
  id.replaceAll('-', ''),
  `${letters[what]}${Date.parse(seen).toString(36)}`,
];

/** The subject of a button, else the one shown last. Undefined for malformed arguments. */
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

export const decisions = (turn: Turn, about: Decided, can: readonly Decision[]): Button[] =>
  can.map((one) =>
    button(
      turn,
      about.what === 'post' && one === 'remove' ? 'button.hide' : `button.${one}`,
      one,
      ...marks(about),
    ),
  );

/** Shows one item of an admin list. A decision without arguments applies to it. */
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

/** Place in a list, from 1; 1 by default. */
export const placeIn = ({ words: [word = ''] }: Args): number =>
  /^\d{1,4}$/.test(word) ? Math.max(1, Number(word)) : 1;
