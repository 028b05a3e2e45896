import { digitOr } from './foldDigits.ts';

/** First letters of emoji alphabets without a compatibility form: black circles, black squares. */
const emojiAlphabets = [0x1f150, 0x1f170];
const smallCapitals = new Map(
  Array.from('ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ', (letter, at) => [letter, String.fromCharCode(97 + at)]),
);

/** Letter of an alphabet of 26 emoji that begins at one of `alphabets`, in small Latin. */
export function letterOfEmoji(
  char: string,
  alphabets: readonly number[] = emojiAlphabets,
): string | undefined {
  const code = char.codePointAt(0) ?? 0;
  const first = alphabets.find((start) => code >= start && code < start + 26);
  return first === undefined ? undefined : String.fromCharCode(97 + code - first);
}

/** A letter or digit of a decorative alphabet (`𝗜𝗣𝗛𝗢𝗡𝗘`, `ɪᴘʜᴏɴᴇ`, `🅸🅿`, `١٢`) in plain ones. */
export function plainLetter(char: string): string {
  if (char < '\u0080' || !/[\p{Alphabetic}\p{N}]/u.test(char)) return char;
  return (
    smallCapitals.get(char) ??
    letterOfEmoji(char)?.toUpperCase() ??
    Array.from(char.normalize('NFKC'), digitOr).join('')
  );
}
