/**
 * The states of one of the sender's records, from good to bad, and the states that say nothing of
 * it.
 */
type RecordState = 'found' | 'weak' | 'missing' | 'several' | 'invalid' | 'unreachable' | 'unnamed';
export type Judged = { state: RecordState; record: string | null };

/** No record of ours is longer; others' text is cut before anything reads it. */
const longest = 4096;
const shownLength = 300;
const shown = (record: string): string => record.slice(0, shownLength);

/** The tags of a record like `v=DKIM1; k=rsa; p=…`, with names in small letters. */
function tagsOf(record: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const part of record.slice(0, longest).split(';')) {
    const at = part.indexOf('=');
    if (at > 0) tags.set(part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim());
  }
  return tags;
}

/** The version word that a record begins with. */
const beginsWith = (record: string, version: string): boolean => {
  const start = record.slice(0, longest).trimStart().toLowerCase();
  return start === version || start.startsWith(`${version} `) || start.startsWith(`${version};`);
};

/** What holds of records of which there must be exactly one. */
function single(records: readonly string[], judge: (record: string) => RecordState): Judged {
  const [record, ...others] = records;
  if (record === undefined) return { state: 'missing', record: null };
  return { state: others.length > 0 ? 'several' : judge(record), record: shown(record) };
}

/**
 * SPF (RFC 7208): exactly one record; one that ends in `+all`, `?all` or no `all` at all refuses
 * nobody.
 */
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
 * DMARC (RFC 7489): exactly one record with a policy; `p=none` asks nobody to refuse anything.
 * @param inherited the record is that of a parent domain, whose `sp` then counts first
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

/**
 * DKIM (RFC 6376): exactly one key that is not empty; an empty one is a key that was taken back.
 */
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

/**
 * The domain and its parents of two words or more: where a DMARC record may stand, the nearest
 * first.
 */
export function dmarcDomains(domain: string): string[] {
  const words = domain.split('.');
  return words
    .slice(0, -1)
    .map((_, n) => words.slice(n).join('.'))
    .slice(0, 8);
}

/**
 * Whether the outside world could know of a domain at all: not this machine, no address, no name
 * of a local network.
 */
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
