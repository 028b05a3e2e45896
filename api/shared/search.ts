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
  [...new Set(normalized(text).split(' '))].filter(Boolean).slice(0, mostWords);
