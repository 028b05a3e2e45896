import { readFileSync } from 'node:fs';
import type { JsonSchema, Operation } from '../../api/docs/openapi.ts';
import { send } from '../../tests/support/rawRequest.ts';
import { median } from '../bench/report.ts';
import { escaped } from '../fuzz/input.ts';
import { validParts } from '../fuzz/requests.ts';
import type { Pools, Testbed, Who } from '../fuzz/testbed.ts';
import { whoever } from '../fuzz/testbed.ts';
import { fillings, shapes } from './fillings.ts';

/** A timed request: its CPU time on the server's event loop. */
export type Held = {
  operation: string;
  field: string;
  filling: string;
  bytes: number;
  status: number;
  ms: number;
};
export type LoopOutcome = { sent: number; operations: number; worst: Held[] };

/** Longest time a request may hold the loop, median of five. */
export const longestMs = 50;
const most = 64 * 1024;
/** Bun refuses addresses and headers beyond 16 KB. */
const mostInAddress = 8000;
const rounds = 5;
/** A request slower than this is measured again. */
const suspectMs = longestMs / 2;

/** CPU milliseconds of a process's main thread; Linux only. */
function loopMilliseconds(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

type Part = string | number;
type Field = { at: readonly Part[]; maxLength: number | undefined };

/** Places in a body that take a text, optional ones included. */
function textFields(schema: JsonSchema, at: readonly Part[] = []): Field[] {
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.flatMap((option) => textFields(option, at));
  const types = [schema.type ?? 'string'].flat();
  if (types.includes('object'))
    return Object.entries(schema.properties ?? {}).flatMap(([key, part]) =>
      textFields(part, [...at, key]),
    );
  if (types.includes('array')) return textFields(schema.items ?? {}, [...at, 0]);
  return types.includes('string') && !schema.enum && schema.const === undefined
    ? [{ at, maxLength: schema.maxLength }]
    : [];
}

/** Copies a value with a text in one place. */
function withText(value: unknown, [first, ...rest]: readonly Part[], text: string): unknown {
  if (first === undefined) return text;
  if (typeof first === 'number') {
    const [own] = Array.isArray(value) ? value : [];
    return [withText(own, rest, text)];
  }
  const object =
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  return { ...object, [first]: withText(object[first], rest, text) };
}

type Try = { field: string; filling: string; target: string; type?: string; body?: Uint8Array };
const encoder = new TextEncoder();
const atMost = (body: Uint8Array): Uint8Array => body.subarray(0, most);

/** Texts are cut at 5,000 characters before cleaning, whatever maximum the schema has. */
const uncleaned = 4990;
/** The API reads bodies up to 32 KB. */
const bodyLimit = 31 * 1024;

/**
 * Sizes to try: the maximum and one more, the limits of cleaning and of the API, and all of 64 KB.
 * Short texts and refused bodies cost the same with any filling, so the first few fillings stand
 * for all.
 */
function sizes(maxLength: number | undefined, fixed: number, nth: number): number[] {
  const own = maxLength ?? 200;
  const few = nth < 4;
  const wanted = [
    ...(few || own >= 400 ? [own, own + 1] : []),
    uncleaned,
    bodyLimit - fixed,
    ...(few ? [most - fixed] : []),
  ];
  return [...new Set(wanted)].filter((size) => size > 0 && size <= most - fixed);
}

/** Every request for an operation: each text, filling and size. */
function* tries(
  path: string,
  operation: Operation,
  pools: Pools,
  photo: Uint8Array,
): Generator<Try> {
  const parts = validParts(path, operation, pools, photo, 54);
  const address = (filled: Record<string, unknown>, query: Record<string, unknown>) => {
    const asked = Object.entries(query).filter(([, value]) => value !== undefined);
    const testbed = path.replace(/\{(\w+)\}/g, (_, name: string) => escaped(filled[name]));
    return (
      testbed +
      (asked.length
        ? `?${asked.map(([name, value]) => `${name}=${escaped(value)}`).join('&')}`
        : '')
    );
  };
  const target = address(parts.path, parts.query);
  const { type, bytes } = parts.body ?? {};
  const body = (given: Uint8Array | undefined = bytes) =>
    type && given ? { type, body: atMost(given) } : {};
  yield { field: '', filling: 'valid', target, ...body() };
  for (const one of operation.parameters ?? []) {
    if (one.in !== 'path' && one.in !== 'query') continue;
    for (const filling of fillings) {
      const text = filling.text(2000);
      const bent = { ...parts[one.in], [one.name]: text };
      const whole = one.in === 'path' ? address(bent, parts.query) : address(parts.path, bent);
      yield {
        field: `${one.in} ${one.name}`,
        filling: filling.name,
        target: whole.slice(0, mostInAddress).replace(/%[\da-f]?$/i, ''),
        ...body(),
      };
    }
  }
  const [[kind, content] = []] = Object.entries(operation.requestBody?.content ?? {});
  if (!kind || !content || !bytes) return;
  const json = kind === 'application/json';
  const given: unknown = json
    ? JSON.parse(new TextDecoder().decode(bytes))
    : Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)));
  const written = (value: unknown) =>
    encoder.encode(
      json
        ? JSON.stringify(value)
        : new URLSearchParams(value as Record<string, string>).toString(),
    );
  const fields = textFields(content.schema);
  for (const filling of fillings) {
    const each = filling.text(Math.min(uncleaned, Math.floor(bodyLimit / (fields.length + 1))));
    const filled = written(fields.reduce((value, { at }) => withText(value, at, each), given));
    if (fields.length > 1)
      yield { field: 'all texts', filling: filling.name, target, ...body(filled) };
  }
  for (const { at, maxLength } of fields)
    for (const [nth, filling] of fillings.entries())
      for (const size of sizes(maxLength, written(withText(given, at, '')).byteLength, nth)) {
        const filled = written(withText(given, at, filling.text(size)));
        if (filled.byteLength <= most + 2000)
          yield { field: at.join('.'), filling: filling.name, target, ...body(filled) };
      }
  if (json)
    for (const shape of shapes)
      for (const size of [bodyLimit, most])
        yield {
          field: 'body',
          filling: shape.name,
          target,
          ...body(encoder.encode(shape.text(size))),
        };
}

let requests = 0;
/** Sends a request from its own address and returns the loop time it took. */
async function time(
  testbed: Testbed,
  method: string,
  who: Who,
  { target, type, body }: Try,
): Promise<{ status: number; ms: number }> {
  const n = requests++;
  const head = [
    `${method} ${target} HTTP/1.1`,
    'host: market.test',
    `x-forwarded-for: 10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
    ...(who === 'visitor' ? [] : [`cookie: ${testbed.cookie(who)}`]),
    ...(method === 'GET' ? [] : [`idempotency-key: loop-${process.pid}-${n}`]),
    ...(type && body ? [`content-type: ${type}`, `content-length: ${body.byteLength}`] : []),
    'connection: close',
  ];
  const bytes = Buffer.concat([
    Buffer.from(`${head.join('\r\n')}\r\n\r\n`),
    body ?? new Uint8Array(),
  ]);
  const before = loopMilliseconds(testbed.pid);
  const { status } = await send(testbed.port, bytes, 30_000);
  return { status, ms: loopMilliseconds(testbed.pid) - before };
}

/**
 * Measures how long a request of at most 64 KB holds the event loop, for every OpenAPI operation.
 * The server must be otherwise idle.
 */
export async function measureLoop(
  testbed: Testbed,
  say: (text: string) => void,
  only = /./,
): Promise<LoopOutcome> {
  const worst: Held[] = [];
  let [sent, operations] = [0, 0];
  for (const [path, methods] of Object.entries(testbed.document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const verb = method.toUpperCase();
      const name = `${verb} ${path}`;
      if (!only.test(name)) continue;
      operations++;
      const pools = await testbed.refresh();
      const allowed = /^Allowed: (.*)\.$/.exec(operation.description)?.[1]?.split(', ') ?? [];
      const who =
        whoever.findLast((one) => allowed.includes(one) && one !== 'admin') ??
        whoever.find((one) => allowed.includes(one)) ??
        'visitor';
      await testbed.sql`delete from rate_limit`;
      for (const one of tries(path, operation, pools, testbed.photo)) {
        const first = await time(testbed, verb, who, one);
        if (++sent % 200 === 0) await testbed.sql`delete from rate_limit`;
        const all = [first.ms];
        // A single slow run may be compilation or garbage collection.
        while (first.ms > suspectMs && all.length < rounds)
          all.push((await time(testbed, verb, who, one)).ms);
        const held = {
          operation: name,
          field: one.field,
          filling: one.filling,
          bytes: one.body?.byteLength ?? one.target.length,
          status: first.status,
        };
        worst.push({ ...held, ms: all.length === rounds ? median(all) : first.ms });
        worst.sort((a, b) => b.ms - a.ms).splice(10);
      }
      say(`${name}: ${sent} requests, worst so far ${worst[0]?.ms.toFixed(1)} ms`);
    }
  return { sent, operations, worst };
}
