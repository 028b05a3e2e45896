import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  beforeTurns,
  type ContactLimits,
  lookedBeforeTurns,
  lookedTurnSeconds,
} from '../../api/contact/rules.ts';
import { settingSchemas } from '../../api/settings/schema.ts';
import { type Attack, type Result, simulate, town } from '../support/contactTown.ts';

/** Checks the evening-hour table of docs/limits.md and the limits behind it. */
const page = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8');
const limits = Object.fromEntries(
  Object.entries(settingSchemas).map(([name, { initial }]) => [name, initial]),
) as unknown as ContactLimits;

const attacks: Record<Attack, string> = {
  none: 'none',
  open: 'leaves 40 questions a second open',
  right: 'answers rightly by a program, with a new cookie each time',
  cookieless: 'the same, without cookies',
  wrong: 'answers wrongly, 40 times a second',
  views: 'keeps 20 cookies with a view each and answers rightly',
  burst: 'makes as many such cookies as it likes, for five minutes',
  manyViews: 'the same, all the time',
};
const results = new Map<Attack, Result>();
const result = (attack: Attack): Result => {
  const found = results.get(attack) ?? simulate(attack, limits);
  results.set(attack, found);
  return found;
};
const rowOf = (attack: Attack) => {
  const { newcomers, attacker } = result(attack);
  const { asked, refused, gaveUp, plainGaveUp, median, longest } = newcomers;
  return `| ${[attacks[attack], `${refused} of ${asked}`, gaveUp, plainGaveUp, `${median} s, ${longest} s`, attacker.contacts, attacker.numbers].join(' | ')} |`;
};

describe('an evening hour of a town behind one address, next to one attacker there', () => {
  test.each(Object.keys(attacks) as Attack[])('%s: the page has its row', (attack) => {
    expect(page).toContain(rowOf(attack));
  });

  test('nobody is refused, known or new, whatever the attacker does', () => {
    for (const attack of Object.keys(attacks) as Attack[]) {
      const { newcomers, known } = result(attack);
      expect([attack, newcomers.refused, known.refused]).toEqual([attack, 0, 0]);
      expect(newcomers.asked).toBeGreaterThan(town.newcomers);
    }
  });

  test('every newcomer with a script is served within minutes, but where somebody imitates a crowd', () => {
    for (const attack of Object.keys(attacks) as Attack[])
      if (attack !== 'manyViews')
        expect([attack, result(attack).newcomers.gaveUp]).toEqual([attack, 0]);
    expect(result('none').newcomers.longest).toBeLessThanOrEqual(30);
    expect(result('open')).toEqual(result('none'));
  });

  test('no attacker gets more than 120 different numbers in an hour; without views no more than 120 contacts', () => {
    for (const attack of Object.keys(attacks) as Attack[])
      expect(result(attack).attacker.numbers).toBeLessThanOrEqual(limits.contactNewcomersPerHour);
    for (const attack of ['open', 'right', 'cookieless', 'wrong'] as const)
      expect(result(attack).attacker.contacts).toBeLessThanOrEqual(limits.contactNewcomersPerHour);
    expect(result('manyViews').attacker.contacts).toBeLessThanOrEqual(
      limits.contactPerAddressPerHour,
    );
  });

  test('where stalls change ten times a minute, it is 120 different numbers, and not one more', () => {
    const { numbers } = simulate('manyViews', limits, { honest: false, turnover: 0.1 }).attacker;
    expect(numbers).toBeGreaterThan(110);
    expect(numbers).toBeLessThanOrEqual(120);
  });

  test('twenty and a thousand addresses get as many times the contacts, and the numbers that are live', () => {
    const { contacts, numbers } = result('manyViews').attacker;
    for (const [addresses, name] of [
      [1, 'one address'],
      [20, '20 addresses'],
      [1000, '1,000 addresses'],
    ] as const) {
      expect(page).toContain(
        `| ${name} | ${(contacts * addresses).toLocaleString('en')} | ${numbers} |`,
      );
    }
  });
});

test('the page names the limits of contact as the code has them', () => {
  const row = (name: string, number: string) =>
    expect(page).toMatch(new RegExp(`\\| ${name}[^|]*\\| [^|]*\\b${number}\\b`));
  row(
    'Contacts of a visitor or account',
    `${limits.contactPerHour} an hour, ${limits.contactPerDay} a day`,
  );
  row('Contacts of known visitors of an address', `${limits.contactPerAddressPerHour}`);
  row('Contacts of newcomers of an address', `${limits.contactPerAddressPerHour}`);
  row(
    '… who looked around',
    `${lookedBeforeTurns(limits)} an hour, then one in ${lookedTurnSeconds(limits)} seconds`,
  );
  row(
    '… who did not',
    `${beforeTurns(limits)} an hour, then one in ${limits.contactTurnSeconds} seconds: ${limits.contactNewcomersPerHour}`,
  );
  row(
    'Different numbers',
    `${beforeTurns(limits)} an hour, then one in ${limits.contactTurnSeconds} seconds: ${limits.contactNewcomersPerHour}`,
  );
});
