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
  return code.length === length && [...code].every((letter) => letters.includes(letter))
    ? code
    : undefined;
}

/** Names, the same in every language. */
export const networkNames = { telegram: 'Telegram', whatsapp: 'WhatsApp' } as const;

/** How a network of the bot is connected. */
export type ChannelState = 'starting' | 'pairing' | 'connected' | 'failing' | 'off';

/** In milliseconds: how often a process says that it runs a network, and after which silence it is gone. A network nobody ran for so long is off. */
export const channelTimes = { beatMs: 30_000, silentMs: 150_000, offMs: 86_400_000 } as const;

/** What a number says in a chat whose network has no buttons. */
export type Choices = Record<string, string>;
type Offered = { label: string; say: string };

/** The number that a button has already: what it says, or what it shows, is one, and the text speaks of it (`#11`, `3.`). */
const ownNumber = ({ label, say }: Offered): string | undefined =>
  /^\d{1,3}$/.exec(say)?.[0] ?? /^#?(\d{1,3})$/.exec(label)?.[1];

/**
 * Buttons as numbered lines, and what each number then says. Numbers that stand already are not given again: what was written a moment ago, or
 * comes a moment later, keeps its own.
 */
export function numbered(
  buttons: readonly Offered[],
  standing: Choices,
): { lines: string[]; choices: Choices } {
  const choices: Choices = { ...standing };
  const own = buttons.filter((button) => ownNumber(button) !== undefined);
  for (const button of own) choices[ownNumber(button) as string] = button.say;
  let next = 1;
  const lines = buttons.flatMap((button) => {
    if (own.includes(button))
      return ownNumber(button) === button.label.replace('#', '')
        ? []
        : [`${ownNumber(button)}. ${button.label}`];
    while (choices[next] !== undefined) next++;
    choices[next] = button.say;
    return [`${next}. ${button.label}`];
  });
  return { lines, choices };
}

const hourMs = 3_600_000;
/** WhatsApp's rule: free words within 24 hours of the person's last message. A few minutes less, for clocks that differ. */
export const replyWindow = { openMs: 24 * hourMs - 5 * 60_000, waitMs: 3 * 24 * hourMs } as const;
export const windowOpen = (wroteAt: Date | null, now: Date): boolean =>
  wroteAt !== null && now.getTime() - wroteAt.getTime() < replyWindow.openMs;
