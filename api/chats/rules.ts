const minutes = 60_000;

/** What linking goes by. */
export const limits = {
  codeLivesMs: 15 * minutes,
  /** A link that signs in on the web, asked for in a chat. */
  signInLinkLivesMs: 10 * minutes,
  /** Codes that an account may ask for in an hour, and tries of one that a chat has in a quarter of an hour. */
  codesAnHour: 20,
  tries: 10,
  /** Tries to begin an account that a chat has in an hour. */
  joiningsAnHour: 10,
} as const;

/** No letter or digit that is mistaken for another (0/O, 1/I): a code is read on one screen and typed on another. */
const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const length = 8;

/** A code of 40 bits from as many bytes by chance, as it is shown: `ABCD-2345`. */
export function codeOf(bytes: Uint8Array): string {
  const code = Array.from(bytes.subarray(0, length), (byte) => letters[byte % 32]).join('');
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** A code as it is compared, however it was typed; nothing when it cannot be one. */
export function typedCode(text: string): string | undefined {
  const code = text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  return code.length === length && [...code].every((letter) => letters.includes(letter)) ? code : undefined;
}
