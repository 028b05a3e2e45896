import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { type Heard, send } from '../../tests/support/rawRequest.ts';
import { columns } from '../testbed/report.ts';
import type { Input } from './input.ts';
import { errorOf, faultsOf, inconsistencies, loopMs, slowMs } from './judge.ts';
import { anyInput, operationInputs } from './requests.ts';
import type { Testbed } from './testbed.ts';

export type Options = {
  requests: number;
  seed: number;
  /** Requests at a time: few, so that each one's time is meaningful. */
  concurrency?: number;
  /** Sends only the request with this number. */
  only?: number;
  say?: (text: string) => void;
};
export type Finding = {
  number: number;
  name: string;
  faults: string[];
  request: string;
  answer: string;
  logged?: string | undefined;
};
type Slow = { input: Input; number: number; bytes: Buffer; ms: number };
export type Outcome = {
  seed: number;
  sent: number;
  byStatus: Record<string, number>;
  /** Operations with at least one success, and all that were called. */
  reached: Set<string>;
  asked: Set<string>;
  /** The slowest two of each operation, the slowest first; asked again in the end, alone. */
  slowest: Slow[];
  findings: Finding[];
  /** Broken rules of the database, and a server that no longer answers. */
  after: string[];
};

/** A batch uses one seed, and the ids that exist when it begins. */
const batchSize = 250;
const limitMs = 2 * slowMs;

/**
 * Sends random requests and judges every answer. Repeatable by seed, except for the order of
 * parallel requests.
 */
export async function fuzz(
  testbed: Testbed,
  { requests, seed, concurrency = 6, only, say = () => {} }: Options,
): Promise<Outcome> {
  const outcome: Outcome = {
    seed,
    sent: 0,
    byStatus: {},
    reached: new Set(),
    asked: new Set(),
    slowest: [],
    findings: [],
    after: [],
  };
  let said = 0;
  for (let from = 0; from < requests && testbed.ended() === undefined; from += batchSize) {
    if (only !== undefined && (only < from || only >= from + batchSize)) continue;
    const pools = await testbed.refresh();
    const operations = operationInputs(testbed.document, pools, testbed.photo);
    const drawn = (arbitrary: fc.Arbitrary<Input>, numRuns: number) =>
      fc.sample(arbitrary, { seed: seed + from / batchSize, numRuns });
    // Every operation once, before random choice.
    const each = from === 0 ? operations.flatMap(({ arbitrary }) => drawn(arbitrary, 1)) : [];
    const inputs = [...each, ...drawn(anyInput(operations, pools), batchSize - each.length)].slice(
      0,
      requests - from,
    );
    const waiting = inputs
      .map((input, index) => ({ input, number: from + index }))
      .filter(({ number }) => only === undefined || number === only);
    const lane = async () => {
      for (
        let next = waiting.shift();
        next && testbed.ended() === undefined;
        next = waiting.shift()
      )
        await ask(testbed, next.input, next.number, outcome);
    };
    await Promise.all(Array.from({ length: concurrency }, lane));
    for (const finding of outcome.findings.slice(said)) say(told(finding, seed));
    said = outcome.findings.length;
    if ((from / batchSize) % 20 === 19)
      say(`${outcome.sent} sent, ${outcome.findings.length} findings`);
  }
  if (testbed.ended() === undefined) await askAgain(testbed, outcome);
  if (testbed.ended() !== undefined)
    outcome.after.push(`the server ended with code ${testbed.ended()}`);
  else {
    const { status } = await send(
      testbed.port,
      Buffer.from('GET /healthz HTTP/1.1\r\nHost: market.test\r\nConnection: close\r\n\r\n'),
      limitMs,
    );
    if (status !== 200) outcome.after.push(`/healthz answers ${status}`);
  }
  outcome.after.push(...testbed.unanswered(), ...(await inconsistencies(testbed.sql)));
  return outcome;
}

async function ask(
  testbed: Testbed,
  input: Input,
  number: number,
  outcome: Outcome,
): Promise<void> {
  const bytes = written(input, testbed.cookie(input.who), number);
  const heard = await send(testbed.port, bytes, limitMs);
  outcome.sent++;
  const status = String(heard.status || 'none');
  outcome.byStatus[status] = (outcome.byStatus[status] ?? 0) + 1;
  outcome.asked.add(input.name);
  if (heard.status >= 200 && heard.status < 400) outcome.reached.add(input.name);
  if (heard.ms > loopMs) keepSlowest(outcome, { input, number, bytes, ms: heard.ms });
  // Signs in again, or the rest of the batch would be sent without a session.
  if (/sign-out$/.test(input.name) && input.who !== 'visitor' && heard.status < 400)
    await testbed.refresh();
  judge(testbed, input, number, bytes, heard, outcome);
}

function keepSlowest(outcome: Outcome, slow: Slow): void {
  const all = [...outcome.slowest, slow].sort((a, b) => b.ms - a.ms);
  const own = all.filter(({ input }) => input.name === slow.input.name);
  outcome.slowest = all.filter((one) => own.indexOf(one) < 2);
}

/** CPU milliseconds of a process's main thread; Linux only. */
function loopMilliseconds(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

/**
 * Repeats the slowest requests alone: they count only if slow three times, or if they hold the event
 * loop three times, so that a busy machine or a collection of garbage is no finding.
 */
async function askAgain(testbed: Testbed, { slowest, findings }: Outcome): Promise<void> {
  for (const { input, number, bytes } of slowest) {
    const times: { heard: Heard; held: number }[] = [];
    const isSlow = ({ heard, held }: (typeof times)[number]) => heard.ms > slowMs || held > loopMs;
    while (times.length < 3 && times.every(isSlow)) {
      const before = loopMilliseconds(testbed.pid());
      const heard = await send(testbed.port, bytes, limitMs);
      times.push({ heard, held: loopMilliseconds(testbed.pid()) - before });
    }
    const last = times.at(-1);
    if (!last || !isSlow(last)) continue;
    const fault = `took ${Math.round(last.heard.ms)} ms alone, ${Math.round(last.held)} of the event loop`;
    found(testbed, number, input, bytes, last.heard, [fault], findings);
  }
}

function judge(
  testbed: Testbed,
  input: Input,
  number: number,
  bytes: Buffer,
  heard: Heard,
  outcome: Outcome,
): void {
  const faults = faultsOf(input, heard, testbed.typed);
  // No answer within the limit is judged with the slow ones.
  if (faults.length > 0 && !(heard.status === 0 && heard.ms > slowMs))
    found(testbed, number, input, bytes, heard, faults, outcome.findings);
}

function found(
  testbed: Testbed,
  number: number,
  input: Input,
  bytes: Buffer,
  heard: Heard,
  faults: string[],
  findings: Finding[],
): void {
  const id = errorOf(heard.body)?.requestId ?? heard.headers['x-request-id']?.[0];
  findings.push({
    number,
    name: input.name,
    faults,
    request: shown(bytes),
    answer: shownAnswer(heard),
    logged: id && testbed.logged(id),
  });
}

/**
 * The request's bytes, with its caller's cookies and its own address, so that limits by address do
 * not refuse everything.
 */
function written(
  { method, target, headers, body, odd }: Input,
  cookie: string,
  number: number,
): Buffer {
  if (odd !== undefined) return Buffer.from(`${odd}\r\nConnection: close\r\n\r\n`);
  const address = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
  const own: [string, string][] = [
    ['host', 'market.test'],
    ['x-forwarded-for', address],
    ...(cookie && !headers.some(([name]) => name === 'cookie')
      ? [['cookie', cookie] as [string, string]]
      : []),
  ];
  const length: [string, string][] = body ? [['content-length', String(body.byteLength)]] : [];
  // The first of two equal header names wins: a chosen one replaces the default.
  const lines = [...own, ...headers, ...length, ['connection', 'close'] as const].filter(
    ([name], index, all) => all.findIndex(([other]) => other === name) === index,
  );
  const head = `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body ?? new Uint8Array()]);
}

/**
 * Readable and repeatable text; long ones are cut with their length. Session cookies are hidden,
 * being as good as passwords.
 */
function shown(bytes: Buffer): string {
  const text = JSON.stringify(bytes.toString('utf8')).replace(
    /marche54\.session_token=[\w%.-]{20,}/,
    'marche54.session_token=…',
  );
  return text.length > 1500 ? `${text.slice(0, 1500)}… (${bytes.byteLength} bytes)` : text;
}
const shownAnswer = ({ status, body, ms }: Heard) =>
  `${status} in ${Math.round(ms)} ms: ${body.slice(0, 600)}`;

export function outcomeInWords(outcome: Outcome): string {
  const { seed, sent, byStatus, asked, reached, slowest, findings, after } = outcome;
  const never = [...asked].filter((name) => !reached.has(name)).sort();
  return [
    columns(
      [
        ['seed', String(seed)],
        ['requests', String(sent)],
        ...Object.entries(byStatus).map(([status, count]) => [
          `  ${status}`,
          `${count} (${((100 * count) / sent).toFixed(1)} %)`,
        ]),
        ['operations and pages asked', String(asked.size)],
        ['  never answered with success', never.join(', ') || 'none'],
        ...slowest
          .slice(0, 5)
          .map(({ input: { name }, number, ms }) => [
            'slowest',
            `${Math.round(ms)} ms  ${name} (number ${number})`,
          ]),
        ['findings', String(findings.length + after.length)],
      ],
      () => false,
    ),
    ...after.map((fault) => `AFTERWARDS ${fault}`),
    ...findings.map((finding) => told(finding, seed)),
  ].join('\n');
}

/** A finding with everything needed to reproduce it. */
export function told(
  { number, name, faults, request, answer, logged }: Finding,
  seed: number,
): string {
  return [
    `FINDING ${name}: ${faults.join('; ')}`,
    `  repeat: bun run fuzz --seed ${seed} --only ${number}`,
    `  sent:   ${request}`,
    `  heard:  ${answer}`,
    ...(logged ? [`  logged: ${logged.slice(0, 1500)}`] : []),
  ].join('\n');
}
