import { describe, expect, test } from 'vitest';
import { optionalPhone } from '../../api/sellers/schema.ts';
import { clean, cleanLine, lengthOf } from '../../api/shared/clean.ts';
import { phoneText, readPhone } from '../../api/shared/contact/readPhone.ts';
import { phone, worldPhone } from '../../api/shared/fields.ts';
import { dayAndTime, dayKey } from '../../api/shared/format.ts';
import { escapeHtml } from '../../api/shared/html.ts';
import { ownPath } from '../../api/shared/ownPath.ts';
import { money } from '../../api/shared/text.ts';
import { isLanguage, negotiateLanguage } from '../../locales/languages.ts';
import { plain } from '../support/text.ts';
import pasted from './numbers/pasted.json' with { type: 'json' };

describe('sanitizing (product §5)', () => {
  test('trims', () => expect(clean('  a chair \n')).toBe('a chair'));
  test('removes angle brackets', () => expect(clean('<b>chair</b>')).toBe('bchair/b'));
  test('removes javascript:, in any case', () =>
    expect(clean('JavaScript:alert(1)')).toBe('alert(1)'));
  test('removes on…= attribute patterns', () =>
    expect(clean('x onclick=go onerror  = go')).toBe('x go  go'));

  test('leaves on… that is no event', () => {
    for (const text of [
      'onze = 11 pièces',
      'onglet=2',
      'once = never',
      'online = 5000',
      'onduleur=12V',
    ])
      expect(clean(text)).toBe(text);
    for (const event of [
      'onMouseOver',
      'onbeforeunload',
      'onanimationend',
      'ontoggle',
      'onpointerup',
    ])
      expect(clean(`a ${event} = b`)).toBe('a  b');
  });

  test('leaves nothing that one pass would have uncovered', () => {
    expect(clean('javajavascript:script:alert(1)')).toBe('alert(1)');
    expect(clean('jajavajavascript:script:vascript:')).toBe('');
    expect(clean('java<script:x')).toBe('x');
    expect(clean('oonclick=nclick=x')).not.toMatch(/\bon\w+=/i);
    expect(clean('<javascript:>javascript:')).toBe('');
  });

  test('changes nothing when it is applied again', () => {
    for (const text of [
      'javajavascript:script:',
      'on on=click=x',
      '<<a>>',
      'plain',
      ' onload=onload=x ',
    ])
      expect(clean(clean(text))).toBe(clean(text));
  });

  test('leaves ordinary words alone', () => {
    const text = 'Conditions: as good as new, on sale = cheap? L’école d’été, 100 % coton & more';
    expect(clean(text)).toContain('Conditions: as good as new');
    expect(clean('L’école d’été & “more”')).toBe('L’école d’été & “more”');
  });

  test('looks at no more than 5,000 characters, so that a long text costs no more than a short one', () => {
    expect(clean('a'.repeat(200_000))).toHaveLength(5000);
    expect(clean(`${'javascript:'.repeat(20_000)}end`)).toHaveLength(5000 % 'javascript:'.length);
  });

  test('gives up on a nest of patterns: every colon and equals sign goes, and nothing of it is left', () => {
    const nest = `${'javascrip'.repeat(400)}${'t:'.repeat(400)}`;
    expect(clean(`${nest} a=b: c`)).not.toMatch(/javascript:|[:=]/);
    expect(clean(`${'javascrip'.repeat(7)}${'t:'.repeat(7)} a=b: c`)).toBe('a=b: c');
  });

  test('never leaves half of a character where it stops looking', () => {
    expect(clean(`${'<'.repeat(4990)}ab${'😀'.repeat(8)}`)).toBe(`ab${'😀'.repeat(4)}`);
    expect(clean(`${'<'.repeat(4991)}ab${'😀'.repeat(8)}`).isWellFormed()).toBe(true);
  });

  test('removes what turns a text around, and what it hid (decision 029)', () => {
    expect(clean('Samsung \u202e41A\u202c \u2066x\u2069 \u202a\u202by\u2067\u2068')).toBe(
      'Samsung 41A x y',
    );
    expect(clean('java\u202escript:x')).toBe('x');
  });

  test('leaves a right-to-left text and its marks alone', () => {
    for (const text of ['عصير باب', 'שלום 5\u200f%', 'a\u200eb']) expect(clean(text)).toBe(text);
  });

  test('removes control characters but line breaks and tabs', () => {
    expect(clean('a\u0007b\u0085c\u001b[1m\nd\te\r\nf')).toBe('abc[1m\nd\te\r\nf');
  });

  test('takes a text of nothing that can be seen for none', () => {
    for (const text of ['\u200b\u200b\u200b', '\u200f \u200e', '\u00ad\u2060\ufeff', '<<\u202e>>'])
      expect(clean(text)).toBe('');
    for (const text of ['👩🏾‍🍳', '–', '٣']) expect(clean(text)).toBe(text);
  });

  test('of one line makes every break and every row of spaces one space, as a page shows it', () => {
    expect(cleanLine(' Radio\r\nBcc: all \t\n  of  them ')).toBe('Radio Bcc: all of them');
    expect(cleanLine('10\u00a0000\u202fF')).toBe('10\u00a0000\u202fF');
    expect(cleanLine(`x onload${' '.repeat(20)}=go`)).toBe('x go');
    for (const text of ['a  <b  onclick=\n\nx', ' \u202e \u2066 a'])
      expect(cleanLine(cleanLine(text))).toBe(cleanLine(text));
  });

  test('is counted as the schemas count: an emoji is one', () => {
    for (const text of ['😀😀', 'été', '\u{1e900}', ''])
      expect(lengthOf(text)).toBe([...text].length);
  });
});

describe('the phone rule (product §5, R23)', () => {
  const e164 = (text: string, rule = phone) => rule.safeParse(text).data;
  const errors = (text: string, rule: typeof phone = phone) =>
    rule.safeParse(text).error?.issues.map(({ message }) => message);

  test.each([
    '699001234',
    '+237699001234',
    '+237 699 00 12 34',
    ' 6 99 00 12 34 ',
    '+237 6 9 9 0 0 1 2 3 4',
    '237699001234',
    '00237 699 00 12 34',
    '(237) 699-00-12-34',
    '6 99.00.12.34',
    '+237 (0) 699 00 12 34',
    '\u202a+237 699 00 12 34\u202c',
    '\u200e699\u200b001234',
    '699\u201100\u201112\u201134',
    '6\ufe0f\u20e39\ufe0f\u20e39\ufe0f\u20e3001234',
    '\u0666\u0669\u0669\u0660\u0660\u0661\u0662\u0663\u0664',
    'tel:+237699001234',
    'https://wa.me/237699001234',
    'https://wa.me/237699001234?text=Bonjour%20224%20200%20100',
  ])('reads %j as one number', (text) => {
    expect(e164(text)).toBe('+237699001234');
    expect(e164(text, worldPhone)).toBe('+237699001234');
  });

  test.each(['599001234', '+237599001234', '69900123', '6990012345', '6990x1234', '+237', 'phone'])(
    'refuses %j',
    (text) => {
      expect(errors(text)).toEqual(['phone']);
    },
  );

  test('says why a fixed line is refused, and nothing else of an empty field', () => {
    expect(errors('222 23 45 67')).toEqual(['phoneFixed']);
    expect(errors('+237 2 33 42 10 00', worldPhone)).toEqual(['worldPhoneFixed']);
    for (const blank of ['', ' ', '\u200b', '\u202a\u202c']) {
      expect(errors(blank)).toEqual(['required']);
      expect(optionalPhone.parse(blank)).toBeUndefined();
    }
  });

  test('takes other countries only for Connect', () => {
    expect(errors('+33 6 12 34 56 78')).toEqual(['phone']);
    expect(e164('0033 (0)6 12 34 56 78', worldPhone)).toBe('+33612345678');
  });

  test('reads numbers that others wrote without knowing the rule', () => {
    const { read, none, missed } = pasted as {
      read: Record<string, string>;
      none: string[];
      missed: string[];
    };
    const wrong = Object.entries(read).filter(([text, number]) => readPhone(text) !== number);
    expect(wrong).toEqual([]);
    expect([...none, ...missed].filter((text) => readPhone(text) !== undefined)).toEqual([]);
  });

  test('shows numbers of Cameroon in groups', () => {
    expect(phoneText('+237699001234')).toBe('+237 699 00 12 34');
    expect(phoneText('+33612345678')).toBe('+33612345678');
  });
});

describe('money (product R42)', () => {
  test('is written XAF 12,500 in English and 12 500 XAF in French', () => {
    expect(plain(money(12_500, 'en'))).toBe('XAF 12,500');
    expect(plain(money(12_500, 'fr'))).toBe('12 500 XAF');
  });

  test('has no decimals, whatever the amount', () => {
    expect(plain(money(100, 'en'))).toBe('XAF 100');
    expect(plain(money(10_000_000, 'en'))).toBe('XAF 10,000,000');
    expect(plain(money(10_000_000, 'fr'))).toBe('10 000 000 XAF');
    expect(plain(money(999.4, 'en'))).toBe('XAF 999');
  });
});

describe('time (product R42)', () => {
  const late = new Date('2026-11-23T23:30:00Z');

  test('is Douala’s, also across midnight', () => {
    expect(dayAndTime(late, 'en')).toMatch(/Tuesday.*24 November.*00:30/);
    expect(dayAndTime(late, 'fr')).toMatch(/mardi.*24 novembre.*00:30/);
    expect(dayKey(late)).toBe('2026-11-24');
    expect(dayKey(new Date('2026-11-23T22:59:59Z'))).toBe('2026-11-23');
  });
});

test('escaping leaves no character that HTML could act on', () => {
  expect(escapeHtml(`<a href="x" onclick='y'>&`)).toBe(
    '&lt;a href=&quot;x&quot; onclick=&#39;y&#39;&gt;&amp;',
  );
});

describe('a path to go back to', () => {
  test('may be any path of this site', () => {
    for (const path of [
      '/',
      '/fr/shop/7',
      '/shop/slot/7?contact=failed#grid',
      '/a//b',
      '/en?x=https://other.example',
    ])
      expect(ownPath(path)).toBe(path);
  });

  test('is another one where none is given', () => {
    expect(ownPath(null, '/seller/dashboard')).toBe('/seller/dashboard');
    expect(ownPath('//evil.example', '/seller/dashboard')).toBe('/seller/dashboard');
  });

  for (const path of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    '',
    'fr',
    '/a\r\nLocation: https://evil.example',
    '/a\nb',
    '/x\\..\\y',
    ' /x',
    '/\t/evil.example',
    '/\u0085/evil.example',
    '///evil.example',
    '\n//evil.example',
    'http:/evil.example',
    '?x',
    '/／evil.example',
    '/été',
    '/a b',
    '/\ud800',
  ]) {
    test(`is never ${JSON.stringify(path)}`, () => expect(ownPath(path)).toBe('/'));
  }

  test('stays on this site when it only looks like an address', () => {
    for (const path of [
      '/@evil.example',
      '/:80',
      '/https:evil.example',
      '/#//evil.example',
      '/?//evil.example',
    ])
      expect(ownPath(path)).toBe(path);
  });
});

describe('the language of a browser (product R40)', () => {
  const cases: [string | null | undefined, string | undefined][] = [
    ['fr', 'fr'],
    ['fr-CM,fr;q=0.9,en;q=0.8', 'fr'],
    ['en-GB,en;q=0.9', 'en'],
    ['de,fr;q=0.5,en;q=0.4', 'fr'],
    ['en;q=0.2, fr;q=0.7', 'fr'],
    ['fr;q=0, en', 'en'],
    ['FR', 'fr'],
    ['de', undefined],
    ['*', undefined],
    ['', undefined],
    [null, undefined],
    ['fr;q=abc, en', 'en'],
    [';;;,,,', undefined],
    ['en;q=0.5,fr;q=0.5', 'en'],
  ];
  for (const [header, language] of cases)
    test(`${JSON.stringify(header)} is ${language ?? 'nothing we have'}`, () =>
      expect(negotiateLanguage(header)).toBe(language));

  test('is en or fr and nothing else', () => {
    for (const value of ['en', 'fr']) expect(isLanguage(value)).toBe(true);
    for (const value of ['EN', 'de', '', null, undefined, 0, ['en']])
      expect(isLanguage(value)).toBe(false);
  });
});
