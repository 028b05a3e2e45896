const listed = (words: string): Set<string> => new Set(words.split(' '));

/** Endings that no sentence has after a full stop. */
const endings = listed('com cm org africa biz online website xyz ng ga gq tk cf');
/** Endings that are words too: "prix.net", "chickens.store closed". */
const wordEndings = listed(
  'fr io net shop store co info site app live me pro tv club market link top tech world ml ci',
);
/** Endings that count although spaces surround the dot. */
const spacedEndings = listed('com cm org');
const services = listed(
  'wa.me fb.me fb.com fb.watch bit.ly linktr.ee goo.gl youtu.be cutt.ly discord.gg forms.gle business.site',
);
/** So short that only a path makes them an address. */
const shortServices = listed('t.me m.me t.co x.com');
/** Words ahead of an address: "visitez kmershop.net". */
const cues = listed(
  'site sites web website visite visiter visitez visit order commande commander commandez catalogue lien ligne online boutique adresse address mail email voir see',
);
/** How shops here like to be called. */
const localName = /[a-z]-[a-z]|[a-z]\d{3}|kmer|mboa|^[a-z]{13}/;

const scheme = /h(?:tt|xx)ps?:|whatsapp:\/|mailto:|(?:^|[^\p{L}\d])www[ .,]/u;
const mail = /\p{L}[\d._-]{0,20}@[a-z\d-]{2,30}\.[a-z]{2}/u;
const provider = /(?:(?:^| )at |@ ?)(?:gmail|yahoo|ymail|hotmail|outlook|icloud)(?![\p{L}\d])/u;

/** WhatsApp is missing: a number stands behind it. */
const networks = listed(
  'insta instagram ig tik tok tiktok facebook fb messenger snap snapchat telegram telegrame tg twitter youtube pinterest threads skype discord',
);
const invitations = listed(
  'suivez suis abonnez abonne rejoignez retrouvez ajoutez follow find join add page compte account',
);
/** `boutique_chic`, `mode237` */
const accountName = /^[a-z\d.]*(?:[a-z\d]_[a-z\d_.]|[a-z]{3}\d{3})/;

/** True if a text has a web address, an e-mail address or an account of another network. */
export function hasLink(text: string): boolean {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/\s+/g, ' ');
  // "w w w . shop . c o m"
  const lower = plain
    .toLowerCase()
    .replaceAll(/(?:[a-z] ){2,20}[a-z](?![a-z])/g, (letters) => letters.replaceAll(' ', ''));
  // "kmershop (dot) com", "ventes arobase gmail"
  const written = lower
    .replaceAll(/ ?[([{] ?(?:dot|point|[.]) ?[)\]}] ?| (?:dot|point) (?=[a-z])/g, '.')
    .replaceAll(/ ?[([{] ?(?:at|arobas|arobase|@) ?[)\]}] ?| (?:arobas|arobase) /g, '@')
    .replaceAll(' slash ', '/')
    .replaceAll(/,(?=com(?![a-z]))/g, '.');
  return (
    scheme.test(lower) ||
    mail.test(lower) ||
    mail.test(written) ||
    provider.test(written) ||
    hasAccount(written) ||
    hasDomain(plain, 'typed') ||
    (written !== lower && hasDomain(written, 'spelled')) ||
    hasDomain(plain.replaceAll(/ ?([./]) ?/g, '$1'), 'spaced')
  );
}

type View = 'typed' | 'spelled' | 'spaced';

/** Judges each dotted pair: "kmershop.com"; "prix.net" only behind a cue. */
function hasDomain(text: string, view: View): boolean {
  const words = text.split(' ');
  return words.some((word, at) => {
    const isCued = words
      .slice(Math.max(0, at - 3), at)
      .some((one) => cues.has(bareWord(one.toLowerCase())));
    const labels = word.split('.');
    return labels.some((label, n) => {
      if (n === 0) return false;
      const isLocal = labels.slice(0, n).some((one) => localName.test(one.toLowerCase()));
      return isDomain(labels[n - 1] ?? '', label, { view, isCued, isLocal });
    });
  });
}

function isDomain(
  before: string,
  after: string,
  { view, isCued, isLocal }: { view: View; isCued: boolean; isLocal: boolean },
): boolean {
  const typedName = before.split(/[^\p{L}\d-]/u).pop() ?? '';
  const typedEnding = /^[a-z]*(?![\p{L}\d-])/iu.exec(after)?.[0] ?? '';
  const [name, ending] = [typedName.toLowerCase(), typedEnding.toLowerCase()];
  const hasPath = /^\/[\p{L}\d@?+]/u.test(after.slice(ending.length));
  const host = `${name}.${ending}`;
  if (services.has(host) || (hasPath && shortServices.has(host))) return true;
  if (!/[a-z]{2}/.test(name)) return false;
  // "Chanel100.ml", "L30.cm"
  if (ending === 'ml' && /\d$/.test(name)) return false;
  if (ending === 'cm' && /^[a-z]{1,3}\d+$/.test(name)) return false;
  if (endings.has(ending) || (/^(?:fr|shop)$/.test(typedEnding) && name.length > 5))
    return view !== 'spaced' || spacedEndings.has(ending) || isCued;
  if (!wordEndings.has(ending)) return false;
  // A sentence begins behind the stop: "chickens.Store closed".
  if (/^[A-Z][a-z]/.test(typedEnding) && !/^[A-Z]/.test(typedName)) return false;
  if (isCued) return true;
  if (view !== 'typed') return view === 'spelled' && ending !== 'me' && ending !== 'tv';
  return isLocal || (name.length > 3 && hasPath);
}

/** "Inst@:" and "T1kt0k" are read as meant. */
const bareWord = (word: string): string =>
  word
    .replaceAll('@', 'a')
    .replaceAll('0', 'o')
    .replaceAll('1', 'i')
    .replaceAll(/[^\p{L}\d]/gu, '');

/** "@boutique_chic", "insta: lily", "follow us on fb"; not "@ Douala" and not "@Douala". */
function hasAccount(text: string): boolean {
  const words = text.match(/[\p{L}\d_.@]+|[:;=(]/gu) ?? [];
  const isAt = (at: number, wanted: Set<string>) => wanted.has(bareWord(words[at] ?? ''));
  const isNear = (at: number, wanted: Set<string>) =>
    [-2, -1, 1, 2].some((step) => isAt(at + step, wanted));
  return words.some((word, at) => {
    if (isAt(at, networks)) return isNamed(words, at) || isInvited(words, at);
    const marked = word.lastIndexOf('@');
    if (marked < 0) return /[a-z\d]_[a-z\d]/.test(word) && isNear(at, networks);
    const isApart = marked === word.length - 1;
    const name = isApart ? (words[at + 1] ?? '') : word.slice(marked + 1);
    if (!/^[a-z][a-z\d_.]{2}/.test(name)) return false;
    if (accountName.test(name)) return true;
    return isApart ? isAt(at - 1, networks) : isNear(at, networks) || isNear(at, invitations);
  });
}

/** "insta: nina mode", "facebook as Nina", "instagram (nina.mode)" */
function isNamed(words: readonly string[], network: number): boolean {
  const at = words[network + 1] === 'page' ? network + 2 : network + 1;
  const [mark = '', name = ''] = words.slice(at, at + 2);
  if (mark === '(') return /[\p{L}\d][._][\p{L}\d]/u.test(name);
  return /^(?:[:;=@]|as|na)$/.test(mark) && /^@?\p{L}{2}/u.test(name);
}

/** "retrouvez-nous sur Facebook", "notre page Facebook" */
function isInvited(words: readonly string[], network: number): boolean {
  const [verb = '', whom = '', link = ''] = words.slice(Math.max(0, network - 3), network);
  return (
    (/^(?:notre|our)$/.test(whom) && link === 'page') ||
    (invitations.has(verb) && /^(?:us|me|nous|moi)$/.test(whom) && /^(?:on|for|sur)$/.test(link))
  );
}
