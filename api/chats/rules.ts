import type { channelStates } from '../../db/vocabularies.ts';

const minutes = 60_000;

export const limits = {
  codeLivesMs: 15 * minutes,
  signInLinkLivesMs: 10 * minutes,
  /** `codesAnHour` is per account; `tries` per chat, in 15 minutes. */
  codesAnHour: 20,
  tries: 10,
  joiningsAnHour: 10,
} as const;

/** The way back of a closed chat by asking in it: the wait for an objection. */
export const back = { waitMs: 72 * 60 * minutes, asksADay: 5 } as const;

/** Leaves out look-alikes (0/O, 1/I): codes are read on one screen and typed on another. */
const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const length = 8;

/** A 40-bit code from 8 random bytes, as `ABCD-2345`. */
export function codeOf(bytes: Uint8Array): string {
  const code = Array.from(bytes.subarray(0, length), (byte) => letters[byte % 32]).join('');
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** Normalizes a typed code; undefined if it cannot be one. */
export function typedCode(text: string): string | undefined {
  const code = text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  return code.length === length && [...code].every((letter) => letters.includes(letter))
    ? code
    : undefined;
}

export type ChannelState = (typeof channelStates)[number];

/**
 * Milliseconds: interval of status reports, and the silence after which a network counts as silent
 * or off.
 */
export const channelTimes = { beatMs: 30_000, silentMs: 150_000, offMs: 86_400_000 } as const;

/** True for a key that a button sent in place of a text too long for it. */
export const isButtonKey = (text: string): boolean => /^~[0-9a-f]{16}$/.test(text);

/** Commands by number, for networks without buttons. */
export type Choices = Record<string, string>;
type Offered = { label: string; say: string };

/** The number the button's text already shows (`#11`, `3.`) or sends. */
const ownNumber = ({ label, say }: Offered): string | undefined =>
  /^\d{1,3}$/.exec(say)?.[0] ?? /^#?(\d{1,3})$/.exec(label)?.[1];

/** Never reuses a number: messages sent a moment ago keep theirs. */
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

/** Errors of WhatsApp's Cloud API, by Meta's list of November 2026. */
export const cloudErrors = {
  /** Rate limits: retried later. */
  pace: new Set([4, 80_007, 130_429, 131_048, 131_056]),
  /** Token or account refused: messages wait until it is fixed. */
  account: new Set([0, 3, 10, 190, 368, 131_005, 131_031, 131_042, 131_057, 133_010]),
  /** The 24-hour window is over, even if our clock disagrees. */
  window: 131_047,
  /** The person is not on WhatsApp or blocks this number. */
  gone: new Set([131_026, 131_030, 131_050]),
  /** The template is missing, does not fit, or was paused or disabled. */
  template: new Set([132_000, 132_001, 132_005, 132_007, 132_012, 132_015, 132_016]),
} as const;
