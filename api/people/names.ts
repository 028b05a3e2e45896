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
/** The market's name; "Super Marché 54" is a shop and its street number. */
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

/**
 * Detects a name that poses as the market: its name, however spelt or drawn, or an office such as
 * "support" beside a short form of it. "Marché" alone is allowed.
 */
export function speaksForMarket(name: string): boolean {
  const read = fold(name);
  if ([...read.matchAll(marketName)].some(([, kind]) => !kind)) return true;
  return (
    office.test(asLetters(read)) &&
    (shortName.test(read) || (anyMarket.test(read) && fiftyFour.test(read)))
  );
}
