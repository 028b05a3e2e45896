const mostWords = 8;

/**
 * Lower case without accents, words separated by one space; applied to stored and searched text.
 */
export const normalized = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

export const searchWords = (text: string): string[] =>
  normalized(text)
    .split(' ')
    .filter((word, at, all) => word !== '' && word !== all[at - 1])
    .slice(0, mostWords);
