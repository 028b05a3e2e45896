import { turners } from '../../locales/isolate.ts';

/** Schemas refuse longer texts before cleaning. */
export const longest = 5000;
const mostPasses = 8;

/** Event attributes of HTML and SVG, by their beginnings; "onze =" and "online =" are text. */
const eventAttribute =
  /\bon(?:abort|activate|after|animation|aux|before|begin|blur|can|change|click|close|command|content|context|copy|cue|cut|dbl|device|drag|drop|duration|emptied|end|error|focus|form|full|gamepad|got|hash|input|invalid|key|language|load|lost|message|mouse|move|page|paste|pause|play|pointer|pop|progress|rate|ready|rejection|repeat|reset|resize|scroll|search|security|seek|select|show|slot|stalled|start|storage|submit|suspend|time|toggle|touch|transition|unhandled|unload|volume|waiting|webkit|wheel|zoom)\w{0,30}\s{0,10}=/gi;

/**
 * Sanitizes a text (product §5): trims it and removes angle brackets, `javascript:`, `on…=` of events,
 * control characters and direction overrides (decision 029), repeated until nothing changes. The
 * real defence is escaping on output. After eight passes colons and equals signs go, to stay linear
 * (decision 060).
 */
export const clean = (text: string): string => settled(text, scrubbed);

/** {@link clean} for one line: white space becomes single spaces. */
export const cleanLine = (text: string): string =>
  settled(text, (given) => scrubbed(given).replaceAll(/[ \t\n\r\u2028\u2029]+/g, ' '));

function settled(text: string, pass: (text: string) => string): string {
  // The cut may have split a surrogate pair.
  let current = text.slice(0, longest).replace(/\p{Cs}$/u, '');
  for (let passes = 0; ; passes += 1) {
    const next = pass(passes === mostPasses ? current.replaceAll(/[:=]/g, '') : current);
    if (next === current) return next;
    current = next;
  }
}

function scrubbed(text: string): string {
  const next = text
    .replaceAll(/[<>]|(?![\t\n\r])\p{Cc}/gu, '')
    .replaceAll(turners, '')
    .replaceAll(/javascript:/gi, '')
    .replaceAll(eventAttribute, '');
  return isBlank(next) ? '' : next.trim();
}

/** True if a reader sees nothing: white space, controls, invisible characters. */
export const isBlank = (text: string): boolean =>
  !/[^\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(text);

/** In code points: an emoji counts as one. */
export const lengthOf = (text: string): number => [...text].length;
