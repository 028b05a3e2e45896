/** A statement without semicolon, or a backslash command. */
export type Item = { sql: string } | { command: string };

type Inside =
  | { kind: 'quote'; mark: string; escapes: boolean }
  | { kind: 'dollar'; tag: string }
  | { kind: 'comment'; depth: number };

const dollarTag = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;
const wordEnd = /[\p{L}\p{N}_$]$/u;

/** Cuts SQL into statements, at semicolons outside quotes, dollar quotes and comments. */
export function createReader() {
  let text = '';
  let begun = false;
  let inside: Inside | undefined;

  function clear(): void {
    text = '';
    begun = false;
    inside = undefined;
  }

  function taken(): Item[] {
    const items = begun ? [{ sql: text.trim() }] : [];
    clear();
    return items;
  }

  return {
    clear,
    get waiting(): boolean {
      return begun || inside !== undefined;
    },
    /** Takes one line; answers the items it completes. */
    add(line: string): Item[] {
      if (!this.waiting && line.trimStart().startsWith('\\')) {
        clear();
        return [{ command: line.trim() }];
      }
      const items: Item[] = [];
      let from = 0;
      for (let at = 0; at < line.length; ) {
        if (inside) {
          const end = endOf(line, at, inside);
          if (end === undefined) break;
          inside = undefined;
          at = end;
          continue;
        }
        const char = line[at] ?? '';
        if (char === ';') {
          text += line.slice(from, at);
          items.push(...taken());
          from = ++at;
          continue;
        }
        if (line.startsWith('--', at)) break;
        const opened = opening(line, at);
        inside = opened?.inside;
        if (inside?.kind !== 'comment' && char.trim() !== '') begun = true;
        at += opened?.length ?? 1;
      }
      text += `${line.slice(from)}\n`;
      return items;
    },
    end: taken,
  };
}

function opening(line: string, at: number): { inside: Inside; length: number } | undefined {
  const char = line[at] ?? '';
  if (line.startsWith('/*', at)) return { inside: { kind: 'comment', depth: 1 }, length: 2 };
  if (char === "'" || char === '"') {
    const before = line.slice(Math.max(0, at - 2), at);
    // E'…', where a backslash escapes the next character.
    const escapes = char === "'" && /^(?:[^\p{L}\p{N}_$])?e$/iu.test(before);
    return { inside: { kind: 'quote', mark: char, escapes }, length: 1 };
  }
  if (char !== '$' || wordEnd.test(line.slice(Math.max(0, at - 1), at))) return undefined;
  dollarTag.lastIndex = at;
  const tag = dollarTag.exec(line)?.[0];
  return tag ? { inside: { kind: 'dollar', tag }, length: tag.length } : undefined;
}

/** Undefined if it continues on the next line. */
function endOf(line: string, from: number, inside: Inside): number | undefined {
  if (inside.kind === 'dollar') {
    const end = line.indexOf(inside.tag, from);
    return end < 0 ? undefined : end + inside.tag.length;
  }
  if (inside.kind === 'comment') {
    for (let at = from; at < line.length; at++) {
      const two = line.slice(at, at + 2);
      if (two !== '/*' && two !== '*/') continue;
      inside.depth += two === '/*' ? 1 : -1;
      at++;
      if (inside.depth === 0) return at + 1;
    }
    return undefined;
  }
  for (let at = from; at < line.length; at++) {
    if (inside.escapes && line[at] === '\\') at++;
    else if (line[at] === inside.mark) {
      if (line[at + 1] !== inside.mark) return at + 1;
      at++;
    }
  }
  return undefined;
}
