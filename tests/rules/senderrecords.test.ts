import { describe, expect, test } from 'vitest';
import {
  dmarcDomains,
  isPublicDomain,
  judgeDkim,
  judgeDmarc,
  judgeSpf,
} from '../../api/mail/rules.ts';

describe('SPF', () => {
  test.each([
    [['v=spf1 include:spf.provider.example ~all', 'google-site-verification=x'], 'found'],
    [['V=SPF1 mx -ALL'], 'found'],
    [['v=spf1 redirect=_spf.provider.example'], 'found'],
    [['v=spf1 mx +all'], 'weak'],
    [['v=spf1 mx ?all'], 'weak'],
    [['v=spf1 mx'], 'weak'],
    [['v=spf1'], 'weak'],
    [['v=spf10 -all', 'spf2.0/pra -all', 'x v=spf1 -all'], 'missing'],
    [[], 'missing'],
    [['v=spf1 mx -all', 'v=spf1 a -all'], 'several'],
  ])('%j is %s', (txt, state) => expect(judgeSpf(txt).state).toBe(state));
});

describe('DMARC', () => {
  test.each([
    [['v=DMARC1; p=reject'], false, 'found'],
    [['v=DMARC1;p=QUARANTINE; rua=mailto:a@b.example'], false, 'found'],
    [['v=DMARC1; p=none'], false, 'weak'],
    [['v=DMARC1; p=reject; sp=none'], false, 'found'],
    [['v=DMARC1; p=reject; sp=none'], true, 'weak'],
    [['v=DMARC1; p=none; sp=reject'], true, 'found'],
    [['v=DMARC1'], false, 'invalid'],
    [['v=DMARC1; p=everything'], false, 'invalid'],
    [['v=spf1 -all'], false, 'missing'],
    [['v=DMARC1; p=none', 'v=DMARC1; p=reject'], false, 'several'],
  ])('%j (of a parent: %s) is %s', (txt, inherited, state) =>
    expect(judgeDmarc(txt, inherited).state).toBe(state),
  );

  test('may be a parent’s, but not that of everything below one word', () => {
    expect(dmarcDomains('mail.market.example')).toEqual(['mail.market.example', 'market.example']);
    expect(dmarcDomains(Array.from({ length: 100 }, () => 'a').join('.'))).toHaveLength(8);
  });
});

describe('DKIM', () => {
  test.each([
    [['v=DKIM1; k=rsa; p=MIGfMA0GCSq+/=='], 'found'],
    [['k=ed25519; p=11qYAYKxCrfVS'], 'found'],
    [['v=DKIM1; p='], 'invalid'],
    [['v=DKIM1; k=rsa'], 'invalid'],
    [['v=DKIM2; p=AAAA'], 'invalid'],
    [['v=DKIM1; p=<script>'], 'invalid'],
    [['something else'], 'missing'],
    [[], 'missing'],
    [['v=DKIM1; p=AAAA', 'v=DKIM1; p=BBBB'], 'several'],
  ])('%j is %s', (txt, state) => expect(judgeDkim(txt).state).toBe(state));
});

test('a record is shown in 300 characters, however long it is', () => {
  expect(judgeSpf([`v=spf1 ${'a'.repeat(100_000)}`]).record).toHaveLength(300);
});

test.each([
  ['market.example', true],
  ['xn--march-esa.cm', true],
  ['localhost', false],
  ['market.localhost', false],
  ['market.local', false],
  ['127.0.0.1', false],
  ['', false],
  ['.cm', false],
])('the domain %s is known outside: %s', (domain, known) =>
  expect(isPublicDomain(domain)).toBe(known),
);
