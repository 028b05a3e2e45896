import { givenName } from '../../locales/market.ts';
import { digitOf } from '../shared/foldDigits.ts';
import { letterOfEmoji } from '../shared/foldLetters.ts';

/** Letters that look Latin and that Unicode's compatibility forms leave alone. */
const lookAlikes: Record<string, string> = {
  a: 'аαɑᴀᎪꓮⲁ@',
  b: 'вβьʙᏴꓐ',
  c: 'сϲᴄᏟꓚⲥƈ¢',
  d: 'ԁᴅᎠꓓđ',
  e: 'еєҽεəᴇᎬꓰⲉɇ℮€Σ',
  f: 'ꜰƒꓝ',
  g: 'ɢցɡꓖ',
  h: 'һнʜᎻꓧⲏħɦհΗ',
  i: 'іιıɪᎥꓲ|!',
  k: 'кκᴋᏦꓗⲕ',
  l: 'ӏʟᏞꓡłǀ',
  m: 'мμᴍᎷꓟⲙɱ',
  n: 'пηոɴꓠ',
  o: 'оοσօᴏꓳⲟø',
  p: 'рρᴘᏢꓑⲣ',
  q: 'ԛզ',
  r: 'гяʀɾɍᎡꓣᴦ',
  s: 'ѕʂꜱƨᏚꓢς$',
  t: 'тτᴛᎢꓔⲧŧ',
  u: 'цυսᴜꓴ',
  v: 'νᴠᏙꓦѵ',
  w: 'шԝωᴡᎳꓪ',
  x: 'хχꓫⲭ',
  y: 'уγʏүꓬ',
  z: 'ᴢᏃꓜ',
  '4': 'Ꮞ',
  '5': 'ƽƼ',
};
const folded = new Map(
  Object.entries(lookAlikes).flatMap(([letter, others]) =>
    [...others].map((other) => [other, letter] as const),
  ),
);

/** Black circles, black squares, flags. */
const alphabets = [0x1f150, 0x1f170, 0x1f1e6];

/** Folds a name to what a reader sees: small letters and digits, no marks. */
const fold = (name: string): string =>
  Array.from(
    name
      .slice(0, 400)
      .normalize('NFKD')
      .replaceAll(/\p{M}|\p{Default_Ignorable_Code_Point}/gu, ''),
    (one) => {
      const small = one.toLowerCase();
      return (
        digitOf(one) ??
        folded.get(one) ??
        folded.get(small) ??
        letterOfEmoji(one, alphabets) ??
        small
      );
    },
  ).join('');

/** Signs between spaced-out letters. */
const gap = String.raw`[^\p{L}\p{N}]{0,3}`;
const spaced = (...letters: string[]): string => letters.join(gap);
const market = `${spaced('(?:m|rn)', '[a4]', 'r')}${gap}(?:${spaced('c', 'h', '[e3]')}s?|${spaced('k', '[e3]', 't')})`;
const number = String.raw`(?:5[ ._-]?4(?!\d)|s4(?![\p{L}\p{N}])|cinquante${gap}quatre|fifty${gap}four)`;
/** The market's original name; "Super Marché 54" is a shop and its street number. */
const marketName = new RegExp(
  `((?:super|hyper|mini)${gap})?${market}${gap}(?:n(?:o|um|umero)?${gap})?${number}`,
  'gu',
);
const anyMarket = new RegExp(market, 'u');
const fiftyFour = /(?:^|\D)54(?!\d)/;
const shortName = /(?:^|[^\p{L}\p{N}])m[ ._-]?54(?!\d)/u;

/** Digits that replace letters: "supp0rt", "adm1n". */
const asLetters = (text: string): string =>
  text.replaceAll(
    /[01345l]/g,
    (one) => ({ 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', l: 'i' })[one] ?? one,
  );
const offices = [
  'support',
  'soutien',
  'admin',
  'administra',
  'team',
  'equipe',
  'staff',
  'moderat',
  'offici',
  'service client',
  'service a la client',
  'relation client',
  'customer',
  'help',
  'aide',
  'assistance',
  'securit',
  'verificat',
  'direction',
  'operat',
  'conseiller',
];
const office = new RegExp(
  `(?:${offices.map((word) => asLetters(word).replaceAll(' ', gap)).join('|')})`,
  'u',
);

const wordsIn = (text: string): string[] => asLetters(fold(text)).match(/[\p{L}\p{N}]+/gu) ?? [];

/** True if words that follow each other spell this, wherever they are divided. */
function spelledBy(words: readonly string[], wanted: string): boolean {
  return words.some((_, first) => {
    let read = '';
    for (let at = first; at < words.length && read.length < wanted.length; at += 1)
      read += words[at];
    return read === wanted;
  });
}

/**
 * The name that an operator gave the market, however spelt: several words or a number as a part of
 * another name, a single word, which may be a town, alone or beside an office.
 */
function speaksFor(given: string, name: string): boolean {
  const market = wordsIn(given);
  const wanted = market.join('');
  const words = wordsIn(name);
  const whole = words.join('');
  const beside = office.test(asLetters(fold(name)));
  if (market.length > 1) return spelledBy(words, wanted) || (beside && whole.includes(wanted));
  // The fold reads an exclamation mark as an i.
  return whole === wanted || whole === `${wanted}i` || (beside && spelledBy(words, wanted));
}

/** Detects the original name, or an office beside a short form of it. */
function speaksForOriginal(name: string): boolean {
  const read = fold(name);
  if ([...read.matchAll(marketName)].some(([, kind]) => !kind)) return true;
  return (
    office.test(asLetters(read)) &&
    (shortName.test(read) || (anyMarket.test(read) && fiftyFour.test(read)))
  );
}

/** A form in the browser reads the name off its page. */
const presentName = (): string =>
  typeof document === 'undefined'
    ? givenName()
    : (document.querySelector('meta[property="og:site_name"]')?.getAttribute('content') ?? '');

/**
 * Detects a name that poses as the market: its name, however spelt or drawn, or an office such as
 * "support" beside it. "Marché" alone is allowed.
 */
export function speaksForMarket(name: string): boolean {
  const market = presentName();
  return market === '' || speaksForOriginal(market)
    ? speaksForOriginal(name)
    : speaksFor(market, name);
}
