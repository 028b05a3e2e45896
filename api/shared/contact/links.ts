/** Endings that no sentence has after a full stop, and those that need a path behind them. */
const domain =
  /[\p{L}\d][\p{L}\d-]{0,40}\.(?:com|cm|org|africa|biz|online|website|ng|ga|gq)(?![\p{L}\d])/u;
const longDomain = /[\p{L}\d][\p{L}\d-]{5,40}\.(?:fr|net|shop|store|io|co|tk|ml)(?![\p{L}\d])/u;
const withPath = /[\p{L}\d][\p{L}\d-]{0,40}\.[a-z]{2,8}\/[\p{L}\d@?]/u;
const scheme = /h(?:tt|xx)ps?:|https?\/\/|whatsapp:\/|mailto:|www[ .]/u;
const handle = /(?:^|[^\p{L}\d])@ ?[a-z][a-z\d_.]{3,29}(?![\p{L}\d])/u;
const mail = /[a-z\d]@[a-z\d-]{2,30}\.[a-z]{2}/u;
/** Spelled out: "kmershop point com", "ventes arobase gmail". */
const spelled =
  /(?:^|[^\p{L}\d]) ?(?:arobase|arobas|point com|dot com|point cm|dot cm)(?![\p{L}\d])/u;
const spelledMail = /(?:\bat|@) ?(?:gmail|yahoo|hotmail|outlook|icloud)(?![\p{L}\d])/u;

/** True if a text has a web address, an e-mail address or an account of another network. */
export function hasLink(text: string): boolean {
  const plain = text.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
  const lower = plain.toLowerCase();
  // "wa . me", "kmershop (dot) com"
  const joined = lower
    .replaceAll(/[([{]/g, ' ')
    .replaceAll(/[)\]}]/g, ' ')
    .replaceAll(/ {2,}/g, ' ');
  const tight = joined.replaceAll(/ ?([./]) ?/g, '$1');
  return (
    [scheme, domain, longDomain, withPath, handle, mail].some((one) => one.test(lower)) ||
    [spelled, spelledMail].some((one) => one.test(joined)) ||
    /(?:wa|t|m|fb|telegram)\.me\/|(?:facebook|instagram|tiktok)\.com/.test(tight) ||
    / \. ?(?:com|cm|net|me)(?![\p{L}\d])/u.test(joined)
  );
}
