import { describe, expect, test } from 'vitest';
import { patternsIn } from './support/patterns.ts';
import { attackOn } from './support/superlinear.ts';

/** Slow patterns that may stay: their slow text is ours alone, or cannot arise (decision 060). */
const rendered =
  'reads a page that the market has just rendered; texts of others hold no tag, and a search at most fifteen';
const allowed: Record<string, string> = {
  'site/adapter/wake.ts <(?:style|script)\\b[^>]*>([\\s\\S]*?)<\\/(?:style|script)>': rendered,
  'site/adapter/wake.ts <script>\\(\\(\\)=>\\{[^<]*\\.calm=[^<]*<\\/script>': rendered,
  'site/adapter/wake.ts <astro-island [^>]*client="(?!calm)': rendered,
  'api/outbox/mailer.ts @([^\\s>]+)>?\\s*$': 'reads MAIL_FROM, which the operator sets',
  'api/shared/redact.ts \\bparams: [\\s\\S]*?(?=\\n {4}at |$)':
    'matches at the end of a text at the latest, so each character is read once',
  'db/migrated.ts \\b(CREATE|DROP)\\s+(?:CONSTRAINT\\s+)?TRIGGER\\s+(?:IF EXISTS\\s+)?"?(\\w+)"?(?:\\s[^;]*?)?\\sON\\s+"?(\\w+)"?':
    'reads our own migrations',
  'site/src/features/demo/Outbox.astro (https?:\\/\\/[^\\s<>]+[^\\s<>.,;:!?)])':
    'fails only on an address of nothing but full stops, and starts only at http',
};

const stalls = Array.from({ length: 54 }, (_, n) => n + 1).join('|');
const gap = '[^\\p{L}\\p{N}]{0,3}';
const spaced = (...letters: string[]): string => letters.join(gap);
const market = `${spaced('(?:m|rn)', '[a4]', 'r')}${gap}(?:${spaced('c', 'h', '[e3]')}s?|${spaced('k', '[e3]', 't')})`;
/** Patterns assembled at run time, with the result; all parts are ours. */
const composedAs: Record<string, string> = {
  'api/pages/pageKey.ts new RegExp(`(?:^|;\\\\s*)${markCookie}=\\\\w`)':
    '(?:^|;\\s*)marche54.mark=\\w',
  'api/pages/cachedPaths.ts new RegExp(`^(?:/|/(?:${anyLanguage})/?|(?:/(?:${anyLanguage}))?/how-it-works)$`)':
    '^(?:/|/(?:en|fr)/?|(?:/(?:en|fr))?/how-it-works)$',
  'api/pages/cachedPaths.ts new RegExp(`^(?:/(?:${anyLanguage}))?/shop/(?:slot/${slot}|${slot}(?:/${slug})?)$`)': `^(?:/(?:en|fr))?/shop/(?:slot/(?:${stalls})|(?:${stalls})(?:/[a-z0-9]+(?:-[a-z0-9]+)*)?)$`,
  'api/pages/cachedPaths.ts new RegExp(`^(?:/(?:${anyLanguage}))?/shops/${slug}$`)':
    '^(?:/(?:en|fr))?/shops/[a-z0-9]+(?:-[a-z0-9]+)*$',
  'api/pages/cachedPaths.ts new RegExp(`^(?:/(?:${anyLanguage}))?/stalls\\\\?ids=(\\\\d{1,2}(?:,\\\\d{1,2})*)$`)':
    '^(?:/(?:en|fr))?/stalls\\?ids=(\\d{1,2}(?:,\\d{1,2})*)$',
  'api/shared/ownPath.ts new RegExp(`^(?:/(?:${anyLanguage}))?/[/\\\\\\\\]`)':
    '^(?:/(?:en|fr))?/[/\\\\]',
  "api/people/names.ts new RegExp(`((?:super|hyper|mini)${gap})?${market}${gap}(?:n(?:o|um|umero)?${gap})?${number}`, 'gu')": `((?:super|hyper|mini)${gap})?${market}${gap}(?:n(?:o|um|umero)?${gap})?(?:5[ ._-]?4(?!\\d)|fifty${gap}four)`,
  "api/people/names.ts new RegExp(market, 'u')": market,
  "api/people/names.ts new RegExp(`(?:${offices.map((word) => asLetters(word).replaceAll(' ', gap)).join('|')})`, 'u')": `(?:admin|support|service${gap}client)`,
  'api/forms.ts new RegExp(`^/(?:${anyLanguage})(?=/|$|\\\\?)`)': '^/(?:en|fr)(?=/|$|\\?)',
};

const { patterns, composed } = patternsIn();

describe('a regular expression that meets the text of others', () => {
  test('reads any text in linear time', () => {
    expect(patterns.length).toBeGreaterThan(250);
    const judged = new Map<string, string | undefined>();
    const findings = patterns.flatMap(({ file, line, pattern, flags }) => {
      const key = `/${pattern}/${flags}`;
      if (!judged.has(key)) judged.set(key, attackOn(pattern, flags));
      const attack = judged.get(key);
      return attack && !allowed[`${file} ${pattern}`] ? [`${file}:${line} ${key} ${attack}`] : [];
    });
    expect(findings).toEqual([]);
  });

  test('is known where it is put together at run time', () => {
    expect(
      composed
        .filter(({ file, written }) => !composedAs[`${file} ${written}`])
        .map(({ file, line, written }) => `${file}:${line} ${written}`),
    ).toEqual([]);
    for (const [name, pattern] of Object.entries(composedAs))
      expect(attackOn(pattern, 'u'), name).toBeUndefined();
  });

  test('is excused only while it is there', () => {
    const present = new Set([
      ...patterns.map(({ file, pattern }) => `${file} ${pattern}`),
      ...composed.map(({ file, written }) => `${file} ${written}`),
    ]);
    expect(
      [...Object.keys(allowed), ...Object.keys(composedAs)].filter((name) => !present.has(name)),
    ).toEqual([]);
  });
});

describe('the judge of regular expressions', () => {
  test.each([
    // The amount that held the market for half a second.
    ['\\d{1,3}(?:[\\s.]\\d{3})+\\s*(?:xaf|f\\s?cfa|fcfa|frs?\\b|francs?)', 'giu'],
    ['\\s+$', ''],
    ['<[^>]*>', ''],
    ['^(a+)+$', ''],
    ['^(?:a|aa)+$', ''],
    ['^(a*)*b', ''],
    ['^a*b?a*$', ''],
    ['a.*b.*c', ''],
    ['(ab)*?c', ''],
    ['^\\s*(.*?)\\s*$', ''],
    ['(?=.*b)a', ''],
    ['[[a-z]--[b]]+$', 'v'],
    ['(.)\\1+$', ''],
  ])('finds %s', (pattern, flags) => expect(attackOn(pattern, flags)).toBeDefined());

  test.each([
    ['^[a-z0-9]+(?:-[a-z0-9]+)*$', ''],
    ['[^a-z0-9]+', 'g'],
    ['\\bon\\w{1,30}\\s{0,10}=', 'gi'],
    ['^(?!.*\\.\\.)[a-z.]+@', ''],
    ['(?:^|;\\s*)x=\\w', ''],
  ])('lets %s pass', (pattern, flags) => expect(attackOn(pattern, flags)).toBeUndefined());

  test('names a text on which the pattern is slow', () => {
    expect(attackOn('\\s+$', '')).toBe('takes too long on "\\t" written again and again');
  });

  test('looks into pages, their scripts and their templates', () => {
    const page =
      '---\nconst a = /front/;\n---\n<p class="x">{text.replace(/inner/, "")}</p>\n<style>a { b: url(/no/x) }</style>\n<script>\nconst c = /script/;\nconst d = new RegExp(e);\n</script>\n';
    const found = patternsIn(['site/src/x.astro'], () => page);
    expect(found.patterns.map(({ pattern, line }) => `${pattern} ${line}`).sort()).toEqual([
      'front 2',
      'inner 4',
      'script 7',
    ]);
    expect(found.composed).toMatchObject([{ line: 8, written: 'new RegExp(e)' }]);
  });
});
