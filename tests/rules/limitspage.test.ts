import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { limits as ofAccount } from '../../api/account/rules.ts';
import { limits as ofChats } from '../../api/chats/rules.ts';
import type { PaceName } from '../../api/core/ports.ts';
import { paces, streams } from '../../api/http/load.ts';
import { perAddress as reports } from '../../api/reports/report.ts';
import { settingSchemas } from '../../api/settings/schema.ts';
import { receptionLimits } from '../../api/uploads/reception.ts';

/** The tables of docs/limits.md match the code. */
const page = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8');
const rowOf = (name: string): string[] => {
  const row = page.split('\n').find((line) => line.startsWith(`| ${name} |`));
  return (row ?? `no row: ${name}`).split('|').map((cell) => cell.trim());
};
const figure = (number: number) => number.toLocaleString('en');
const rate = ({ burst, seconds }: { burst: number; seconds: number }) =>
  seconds === 3600
    ? `${figure(burst)} an hour`
    : seconds === 1800
      ? `${figure(burst)} in half an hour`
      : `${figure(burst / seconds)} a second`;

test.each([
  ['API, forms, pages of accounts, admin, exports', 'request'],
  ['pages that must be rendered, also for the store', 'render'],
  ['photos', 'media'],
  ['events (views, clicks, shares)', 'event'],
  ['events without a cookie', 'newcomer'],
  ['events without a cookie, of one kind for one stall', 'newcomerInSlot'],
  ['events of one kind for one stall', 'inSlot'],
  ['clicks, and shares, of one stall', 'visitorInSlot'],
  ['messages of all chats together', 'chat'],
] as const satisfies readonly (readonly [string, PaceName])[])('%s', (name, pace) => {
  expect(rowOf(name).slice(3, 5)).toEqual([figure(paces[pace].burst), rate(paces[pace])]);
});

test('streams, reports, uploads, accounts and chats', () => {
  expect(rowOf('event streams of open pages')[3]).toBe(
    `${figure(streams.perAddress)} open; ${figure(streams.all)} open`,
  );
  expect(rowOf('reports of listings and posts')[3]).toContain(`${reports.max} an hour`);
  expect(rowOf('uploads')[3]).toBe(
    `${receptionLimits.perAccount} at once, ${receptionLimits.perHour} an hour; ${receptionLimits.bytes / 1024 / 1024} MB on their way in all`,
  );
  expect(rowOf('download of one’s own data')[3]).toContain(`${ofAccount.exportsADay} a day`);
  expect(rowOf('letters that prove a first address')[3]).toBe(`${ofAccount.emailsAnHour} an hour`);
  expect(rowOf('linking a chat: codes; tries of one')[3]).toBe(
    `${ofChats.codesAnHour} an hour; ${ofChats.tries} in 15 minutes`,
  );
  expect(rowOf('joining by chat')[3]).toBe(`${ofChats.joiningsAnHour} an hour`);
  expect(rowOf('purchases; cancelled ones')[3]).toContain(
    `${settingSchemas.weeklyPurchaseLimitUsd.initial} USD a week`,
  );
});
