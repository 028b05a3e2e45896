/**
 * Spellings that sound alike in the French and English of Cameroon, in order of application. All
 * patterns are of fixed length, so that folding takes linear time.
 */
const sounds: readonly (readonly [RegExp, string])[] = [
  [/ph/g, 'f'],
  [/tion/g, 'sion'],
  [/sch|sh|ch/g, 'S'],
  [/qu|q|ck/g, 'k'],
  [/c(?=[eiy])/g, 's'],
  [/c/g, 'k'],
  [/gu(?=[eiy])/g, 'G'],
  [/dj|dg(?=[eiy])|g(?=[eiy])/g, 'j'],
  [/G/g, 'g'],
  [/ign|gn|ny/g, 'n'],
  [/th/g, 't'],
  [/h/g, ''],
  [/x/g, 'ks'],
  [/z/g, 's'],
  [/^ai(?=[^nlr])/g, 'i'],
  [/[ae]in(?=[^aeiou]|$)/g, 'in'],
  [/eau|au/g, 'o'],
  [/oeu|eu|oe/g, 'e'],
  [/oi|ou(?=[aei])|oa/g, 'wa'],
  [/waa/g, 'wa'],
  [/ou|oo/g, 'u'],
  [/ee/g, 'i'],
  [/ai|ei|ay|ey|ea/g, 'e'],
  [/y/g, 'i'],
  [/[ae][mn](?=[^aeiou]|$)/g, 'an'],
  [/[iu][mn](?=[^aeiou]|$)/g, 'in'],
];
const silentEnd = new Set('estdx');
const shortest = 2;

/**
 * Writes a word as it sounds, so that `telefone` and `telephone` become equal. Expects a word of
 * `normalized`; the result is only for comparing.
 */
export function fold(word: string): string {
  let sound = word;
  for (const [spelling, letters] of sounds) sound = sound.replaceAll(spelling, letters);
  let single = '';
  for (const letter of sound) if (!single.endsWith(letter)) single += letter;
  let end = single.length;
  while (end > shortest && silentEnd.has(single[end - 1] as string)) end--;
  return single.slice(0, end);
}
