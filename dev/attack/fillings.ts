/** A text of at most so many bytes that has frozen a parser. */
export type Filling = { name: string; text(bytes: number): string };

const encoder = new TextEncoder();
const repeated = (name: string, piece: string, end = ''): Filling => {
  const [each, last] = [encoder.encode(piece).byteLength, encoder.encode(end).byteLength];
  return {
    name,
    text: (bytes) => piece.repeat(Math.max(1, Math.floor((bytes - last) / each))) + end,
  };
};

/** Texts that make patterns backtrack, or that grow when normalised. */
export const fillings: readonly Filling[] = [
  repeated('one amount', ' 000', '!'),
  repeated('amounts', '1 000 000 ', '!'),
  repeated('digits', '0'),
  repeated('digit and gap', '6 . - / '),
  repeated('phone', '+237 69 ', 'x'),
  repeated('date', '8/12/2026 14h00 '),
  repeated('<', '<'),
  repeated('<a', '<a <'),
  repeated('javascript:', 'javascript:'),
  repeated('javajava', 'java', 'script:'),
  repeated('(', '('),
  repeated('[]', '[]('),
  repeated(',', ','),
  repeated('a@', 'a@', '!'),
  repeated('long @', 'a', '@'),
  repeated('dots', 'a.', '!'),
  repeated('dashes', 'a-', '!'),
  repeated('spaces', ' ', 'x'),
  repeated('spaces between', 'a  \t', '!'),
  repeated('lines', '\r\n ', 'x'),
  repeated('links', 'http://a.', '!'),
  repeated('quotes', '"\\'),
  repeated('&', '&amp;'),
  repeated('{{', '{{$t('),
  repeated('marks', '\u0301', 'x'),
  repeated('ﷺ', 'ﷺ'),
  repeated('emoji', '👩🏾‍🌾'),
  repeated('hidden', '\u200b\u202e'),
  repeated('slashes', '/..%2f'),
];

/** JSON bodies of odd shape. */
export const shapes: readonly Filling[] = [
  { name: 'deep arrays', text: (bytes) => '['.repeat(bytes >> 1) + ']'.repeat(bytes >> 1) },
  { name: 'unclosed arrays', text: (bytes) => '['.repeat(bytes) },
  {
    name: 'deep objects',
    text: (bytes) =>
      `${'{"a":'.repeat(Math.floor(bytes / 6))}1${'}'.repeat(Math.floor(bytes / 6))}`,
  },
  {
    name: 'many keys',
    text: (bytes) =>
      `{${Array.from({ length: Math.floor(bytes / 12) }, (_, n) => `"k${n}":1`).join(',')}}`,
  },
  { name: 'many items', text: (bytes) => `[${'{},'.repeat(Math.floor(bytes / 3) - 1)}{}]` },
  { name: 'a long number', text: (bytes) => `{"price":${'9'.repeat(bytes - 12)}}` },
];
