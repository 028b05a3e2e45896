/** French and English words for 0 to 20, without accents; "o" is how a zero is often said. */
const units = new Map(
  Object.entries({
    zero: 0,
    o: 0,
    oh: 0,
    un: 1,
    une: 1,
    deux: 2,
    trois: 3,
    quatre: 4,
    cinq: 5,
    six: 6,
    sept: 7,
    huit: 8,
    neuf: 9,
    dix: 10,
    onze: 11,
    douze: 12,
    treize: 13,
    quatorze: 14,
    quinze: 15,
    seize: 16,
    one: 1,
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
    eleven: 11,
    twelve: 12,
    thirteen: 13,
    fourteen: 14,
    fifteen: 15,
    sixteen: 16,
    seventeen: 17,
    eighteen: 18,
    nineteen: 19,
  }),
);
const tens = new Map(
  Object.entries({
    vingt: 20,
    trente: 30,
    quarante: 40,
    cinquante: 50,
    soixante: 60,
    septante: 70,
    nonante: 90,
    twenty: 20,
    thirty: 30,
    forty: 40,
    fifty: 50,
    sixty: 60,
    seventy: 70,
    eighty: 80,
    ninety: 90,
  }),
);
const hundreds = new Set(['cent', 'cents', 'hundred']);

/** True if words spell a Cameroon number, alone or mixed with digits ("six 77 douze 34 56"). */
export function spellsNumber(text: string): boolean {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .match(/\p{L}+|\d+|[^\p{L}\d\s]+/gu);
  let run: string[] = [];
  for (const word of words ?? []) {
    if (isPart(word)) run.push(word);
    else if (!/^[-–.,/_()+]+$/.test(word) && word !== 'et' && word !== 'and') {
      if (isNumber(run)) return true;
      run = [];
    }
  }
  return isNumber(run);
}

const isPart = (word: string): boolean =>
  units.has(word) ||
  tens.has(word) ||
  hundreds.has(word) ||
  word === 'vingts' ||
  /^\d{1,3}$/.test(word);

/** Nine digits of a run from its start, after a country code or alone, two of its words spelled. */
function isNumber(run: readonly string[]): boolean {
  if (run.filter((word) => !/^\d/.test(word)).length < 2) return false;
  const digits = digitsOf(run).replace(/^(?:00)?237/, '');
  return /^6[24-9]\d{7}(?!\d{9})|^2(?:22|33|42|43)\d{6}$/.test(digits);
}

function digitsOf(run: readonly string[]): string {
  let digits = '';
  for (let at = 0; at < run.length; ) {
    const { value, next } = numberAt(run, at);
    digits += value;
    at = next;
  }
  return digits;
}

/** The longest number that begins here: "six cent soixante dix sept" is 677. */
function numberAt(run: readonly string[], at: number): { value: string; next: number } {
  const word = run[at] as string;
  if (/^\d/.test(word)) return { value: word, next: at + 1 };
  const small = units.get(word);
  if (small !== undefined && small > 0 && small < 10 && hundreds.has(run[at + 1] ?? '')) {
    const rest = belowHundred(run, at + 2);
    return { value: String(small * 100 + (rest?.value ?? 0)), next: rest?.next ?? at + 2 };
  }
  const { value, next } = belowHundred(run, at) ?? { value: 100, next: at + 1 };
  return { value: String(value), next };
}

function belowHundred(
  run: readonly string[],
  at: number,
): { value: number; next: number } | undefined {
  const word = run[at] ?? '';
  const following = run[at + 1] ?? '';
  if (word === 'quatre' && /^vingts?$/.test(following)) {
    const more = units.get(run[at + 2] ?? '') ?? 0;
    return more > 0 && more < 17 ? { value: 80 + more, next: at + 3 } : { value: 80, next: at + 2 };
  }
  const ten = tens.get(word);
  if (ten === undefined) return teen(run, at);
  const after = teen(run, at + 1);
  const most = word === 'soixante' ? 19 : 9;
  return after && after.value > 0 && after.value <= most
    ? { value: ten + after.value, next: after.next }
    : { value: ten, next: at + 1 };
}

/** 0 to 19; "dix sept" is 17. */
function teen(run: readonly string[], at: number): { value: number; next: number } | undefined {
  const value = units.get(run[at] ?? '');
  if (value === undefined) return undefined;
  const unit = units.get(run[at + 1] ?? '') ?? 0;
  return run[at] === 'dix' && unit > 6 && unit < 10
    ? { value: 10 + unit, next: at + 2 }
    : { value, next: at + 1 };
}
