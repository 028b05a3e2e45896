import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { toUnicodeSet } from 'regexp-ast-analysis';

/**
 * Finds a text on which a pattern's search is slower than linear. Builds the automaton of the
 * pattern's characters, with a first state that reads anything, since a search starts at every
 * place. A search is superlinear if one text can be read in two endless ways: by the start and a
 * loop, by two loops, or by one loop in two ways. A loop after which nothing can fail ends the
 * search and does not count. May report false positives.
 */
export function attackOn(pattern: string, flags: string): string | undefined {
  const automaton = read(pattern, flags);
  if ('refused' in automaton) return automaton.refused;
  return twoWays(automaton) ?? twoLoops(automaton);
}

/** An empty path through a part: needs the text's start, and may fail. */
type Empty = { anchored: boolean; fallible: boolean };
type End = { state: number } & Empty;
type Part = { empty: Empty | undefined; first: End[]; last: End[] };
type Automaton = {
  sets: Set<number>[];
  follow: Map<number, number>[];
  sure: Set<number>;
  letters: string[];
};

/** A counted part with more copies is treated as an endless loop. */
const mostCopies = 70;
const mostStates = 1500;
const endless = (max: number): boolean => max === Number.POSITIVE_INFINITY;

function read(pattern: string, flags: string): Automaton | { refused: string } {
  const parser = new RegExpParser();
  const set = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
  const ast = parser.parsePattern(pattern, undefined, undefined, set);
  const given = parser.parseFlags(flags);
  const ranges: (readonly { min: number; max: number }[])[] = [];
  const follow: Map<number, number>[] = [];
  let refused: string | undefined;

  const link = (from: number, to: number) => follow[from]?.set(to, (follow[from].get(to) ?? 0) + 1);
  const nothing = (empty: Empty): Part => ({ empty, first: [], last: [] });
  const plain = nothing({ anchored: false, fallible: false });
  function character(
    node: AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass,
  ): Part {
    if (ranges.length > mostStates) refused = 'is too large to be judged';
    ranges.push(refused ? [] : toUnicodeSet(node, given).chars.ranges);
    follow.push(new Map());
    const end = { state: ranges.length - 1, anchored: false, fallible: false };
    return { empty: undefined, first: [end], last: [end] };
  }
  const both = (one: Empty, other: Empty): Empty => ({
    anchored: one.anchored || other.anchored,
    fallible: one.fallible || other.fallible,
  });
  const passed = (ends: End[], by: Empty | undefined): End[] =>
    by ? ends.map((end) => ({ state: end.state, ...both(end, by) })) : [];
  function behind(one: Part, other: Part): Part {
    for (const last of one.last) for (const first of other.first) link(last.state, first.state);
    return {
      empty: one.empty && other.empty && both(one.empty, other.empty),
      first: [...one.first, ...passed(other.first, one.empty)],
      last: [...other.last, ...passed(one.last, other.empty)],
    };
  }
  function either(parts: Part[]): Part {
    const empties = parts.flatMap(({ empty }) => (empty ? [empty] : []));
    const empty =
      empties.length > 0
        ? {
            anchored: empties.every((one) => one.anchored),
            fallible: empties.every((one) => one.fallible),
          }
        : undefined;
    return {
      empty,
      first: parts.flatMap(({ first }) => first),
      last: parts.flatMap(({ last }) => last),
    };
  }
  function loop(part: Part): Part {
    for (const last of part.last) for (const first of part.first) link(last.state, first.state);
    return part;
  }
  const optional = (part: Part): Part => ({ ...part, empty: { anchored: false, fallible: false } });
  function repeated({ element, min, max }: AST.Quantifier): Part {
    let whole: Part = plain;
    const needed = Math.min(min, mostCopies);
    for (let n = 0; n < needed - (endless(max) ? 1 : 0); n += 1)
      whole = behind(whole, node(element));
    if (endless(max))
      return behind(whole, min > 0 ? loop(node(element)) : optional(loop(node(element))));
    if (max - needed > mostCopies) return behind(whole, optional(loop(node(element))));
    let rest: Part = plain;
    for (let n = needed; n < max; n += 1) rest = optional(behind(node(element), rest));
    return behind(whole, rest);
  }
  function assertion(one: AST.Assertion): Part {
    if (one.kind === 'start' && !flags.includes('m'))
      return nothing({ anchored: true, fallible: true });
    if ('alternatives' in one && loops(one) && !isAtStart(one))
      refused ??= `has a loop in ${one.raw}, which is read again at every place`;
    return nothing({ anchored: false, fallible: true });
  }
  function node(one: AST.Element | AST.QuantifiableElement): Part {
    switch (one.type) {
      case 'Assertion':
        return assertion(one);
      case 'Quantifier':
        return repeated(one);
      case 'Group':
      case 'CapturingGroup':
        return either(one.alternatives.map(sequence));
      case 'Backreference':
        refused ??= 'refers back';
        return plain;
      default:
        return character(one);
    }
  }
  const sequence = ({ elements }: AST.Alternative): Part =>
    elements.map(node).reduce(behind, plain);

  // State 0 reads any text before a match.
  ranges.push([{ min: 0, max: 0x10_ff_ff }]);
  follow.push(new Map([[0, 1]]));
  const whole = either(ast.alternatives.map(sequence));
  if (refused) return { refused };
  for (const first of whole.first)
    if (!first.anchored && !flags.includes('y')) link(0, first.state);
  const sure = new Set(whole.last.filter(({ fallible }) => !fallible).map(({ state }) => state));
  return { follow, sure, ...lettersOf(ranges) };
}

function loops(one: AST.LookaroundAssertion): boolean {
  return /[*+]|\{\d*,\}/.test(one.raw.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/g, ''));
}

/** Only `^` and other assertions precede it. */
function isAtStart(one: AST.LookaroundAssertion): boolean {
  if (one.parent.type !== 'Alternative' || one.parent.parent.type !== 'Pattern') return false;
  const before = one.parent.elements.slice(0, one.parent.elements.indexOf(one));
  return (
    before.some((each) => each.type === 'Assertion' && each.kind === 'start') &&
    before.every((each) => each.type === 'Assertion')
  );
}

/** Groups all characters into the classes that the pattern distinguishes, each with an example. */
function lettersOf(ranges: (readonly { min: number; max: number }[])[]): {
  sets: Set<number>[];
  letters: string[];
} {
  const bounds = [
    ...new Set(ranges.flatMap((set) => set.flatMap(({ min, max }) => [min, max + 1]))),
  ].sort((a, b) => a - b);
  const kinds = new Map<string, number>();
  const letters: string[] = [];
  const sets = ranges.map(() => new Set<number>());
  for (const bound of bounds) {
    const holders = ranges.flatMap((set, state) =>
      set.some(({ min, max }) => min <= bound && bound <= max) ? [state] : [],
    );
    if (holders.length === 0) continue;
    const key = holders.join();
    const kind = kinds.get(key) ?? kinds.size;
    if (!kinds.has(key)) letters.push(String.fromCodePoint(bound));
    kinds.set(key, kind);
    for (const state of holders) sets[state]?.add(kind);
  }
  return { sets, letters };
}

type Graph = (state: number) => number[];
/**
 * Maps each state to the states on a common loop, without those from which the match is certain.
 */
function loopsOf({ follow, sure }: Automaton): Map<number, Set<number>> {
  const next: Graph = (state) => [...(follow[state]?.keys() ?? [])].filter((to) => !sure.has(to));
  const reach = (from: number): Set<number> => {
    const found = new Set<number>();
    const open = next(from);
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (found.has(state)) continue;
      found.add(state);
      open.push(...next(state));
    }
    return found;
  };
  const reached = follow.map((_, state) => (sure.has(state) ? new Set<number>() : reach(state)));
  const onLoop = follow.map((_, state) => state).filter((state) => reached[state]?.has(state));
  return new Map(
    onLoop.map((state) => [
      state,
      new Set([...(reached[state] ?? [])].filter((other) => reached[other]?.has(state))),
    ]),
  );
}

/**
 * Finds a text that leads all tracks from their states to an end at once; undefined if there is
 * none.
 */
function commonText(
  { sets, follow, letters }: Automaton,
  from: number[],
  allowed: ((state: number) => boolean)[],
  isEnd: (states: number[]) => boolean,
) {
  const seen = new Set<string>();
  const open: { states: number[]; text: string }[] = [{ states: from, text: '' }];
  for (let at = 0; at < open.length; at += 1) {
    const { states, text } = open[at] as { states: number[]; text: string };
    let rows: { states: number[]; kinds: Set<number> | undefined }[] = [
      { states: [], kinds: undefined },
    ];
    for (const [track, state] of states.entries())
      rows = rows.flatMap((row) =>
        [...(follow[state]?.keys() ?? [])].flatMap((to) => {
          if (!allowed[track]?.(to)) return [];
          const own = sets[to] ?? new Set<number>();
          const kinds = row.kinds ? new Set([...row.kinds].filter((kind) => own.has(kind))) : own;
          return kinds.size > 0 ? [{ states: [...row.states, to], kinds }] : [];
        }),
      );
    for (const row of rows) {
      const [kind = 0] = row.kinds ?? [];
      const read = text + letters[kind];
      if (isEnd(row.states)) return read;
      const key = row.states.join();
      if (seen.has(key)) continue;
      seen.add(key);
      open.push({ states: row.states, text: read });
    }
  }
  return undefined;
}

/** Finds one loop that reads a text in two ways: the time doubles with each character. */
function twoWays(automaton: Automaton): string | undefined {
  for (const [state, loop] of loopsOf(automaton)) {
    if (state === 0) continue;
    for (const to of loop)
      if ((automaton.follow[state]?.get(to) ?? 0) > 1)
        return told(automaton.letters[[...(automaton.sets[to] ?? [])][0] ?? 0] ?? '');
    const inside = (other: number) => loop.has(other);
    // The third track records that the first two diverged.
    let apart: string | undefined;
    for (const one of loop)
      for (const other of loop) {
        if (one >= other) continue;
        const there = commonText(
          automaton,
          [state, state],
          [inside, inside],
          ([a, b]) => a === one && b === other,
        );
        const back =
          there === undefined
            ? undefined
            : commonText(
                automaton,
                [one, other],
                [inside, inside],
                ([a, b]) => a === state && b === state,
              );
        if (there !== undefined && back !== undefined) apart = there + back;
        if (apart !== undefined) return told(apart);
      }
  }
  return undefined;
}

/** Finds two loops that read the same text, which also leads from the first to the second. */
function twoLoops(automaton: Automaton): string | undefined {
  const loops = loopsOf(automaton);
  for (const [one, first] of loops)
    for (const [other, second] of loops) {
      if (one === other || first.has(other)) continue;
      const tracks = [
        (state: number) => first.has(state),
        () => true,
        (state: number) => second.has(state),
      ];
      const text = commonText(
        automaton,
        [one, one, other],
        tracks,
        ([a, b, c]) => a === one && b === other && c === other,
      );
      if (text !== undefined) return told(text);
    }
  return undefined;
}

const told = (text: string): string =>
  `takes too long on ${JSON.stringify(text)} written again and again`;
