/** From good to bad; the last two say nothing about the record. */
type RecordState = 'found' | 'weak' | 'missing' | 'several' | 'invalid' | 'unreachable' | 'unnamed';
export type Judged = { state: RecordState; record: string | null };

/** Foreign text is cut before parsing. */
const longest = 4096;
const shownLength = 300;
const shown = (record: string): string => record.slice(0, shownLength);

/** Tag names in lower case. */
function tagsOf(record: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const part of record.slice(0, longest).split(';')) {
    const at = part.indexOf('=');
    if (at > 0) tags.set(part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim());
  }
  return tags;
}

const beginsWith = (record: string, version: string): boolean => {
  const start = record.slice(0, longest).trimStart().toLowerCase();
  return start === version || start.startsWith(`${version} `) || start.startsWith(`${version};`);
};

function single(records: readonly string[], judge: (record: string) => RecordState): Judged {
  const [record, ...others] = records;
  if (record === undefined) return { state: 'missing', record: null };
  return { state: others.length > 0 ? 'several' : judge(record), record: shown(record) };
}

/** SPF (RFC 7208): exactly one record; `+all`, `?all` or no `all` at all protect against no one. */
export function judgeSpf(txt: readonly string[]): Judged {
  return single(
    txt.filter((record) => beginsWith(record, 'v=spf1')),
    (record) => {
      const words = record.slice(0, longest).trim().toLowerCase().split(' ').filter(Boolean);
      const refuses =
        words.includes('-all') ||
        words.includes('~all') ||
        words.some((word) => word.startsWith('redirect='));
      return refuses ? 'found' : 'weak';
    },
  );
}

const policies = ['none', 'quarantine', 'reject'];

/**
 * DMARC (RFC 7489): exactly one record with a policy; `p=none` asks for no refusal.
 *
 * @param inherited the record is a parent domain's, whose `sp` then counts first
 */
export function judgeDmarc(txt: readonly string[], inherited = false): Judged {
  return single(dmarcOf(txt), (record) => {
    const tags = tagsOf(record);
    const policy = ((inherited ? tags.get('sp') : undefined) ?? tags.get('p'))?.toLowerCase() ?? '';
    if (!policies.includes(policy)) return 'invalid';
    return policy === 'none' ? 'weak' : 'found';
  });
}

export const dmarcOf = (txt: readonly string[]): string[] =>
  txt.filter((record) => tagsOf(record).get('v')?.toUpperCase() === 'DMARC1');

/** DKIM (RFC 6376): exactly one key; an empty key was revoked. */
export function judgeDkim(txt: readonly string[]): Judged {
  const keys = txt.filter((record) => {
    const tags = tagsOf(record);
    return tags.has('p') || tags.get('v')?.toUpperCase() === 'DKIM1';
  });
  return single(keys, (record) => {
    const tags = tagsOf(record);
    const version = tags.get('v');
    if (version !== undefined && version.toUpperCase() !== 'DKIM1') return 'invalid';
    const key = tags.get('p') ?? '';
    return key.length > 0 && /^[a-z\d+/=\s]*$/i.test(key) ? 'found' : 'invalid';
  });
}

/** Nearest first, without the top level. */
export function dmarcDomains(domain: string): string[] {
  const words = domain.split('.');
  return words
    .slice(0, -1)
    .map((_, n) => words.slice(n).join('.'))
    .slice(0, 8);
}

/** Excludes addresses and local names, which public DNS cannot know. */
export function isPublicDomain(domain: string): boolean {
  const words = domain.split('.');
  const last = words.at(-1) ?? '';
  return (
    words.length > 1 &&
    words.every(Boolean) &&
    !['localhost', 'local', 'internal', 'lan', 'invalid'].includes(last) &&
    !/^\d+$/.test(last)
  );
}
