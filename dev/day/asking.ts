import { randomUUID } from 'node:crypto';
import { Jar } from '../../tests/support/jar.ts';
import type { Kind, Phase, Report, Written } from './order.ts';

/** A visitor's browser at one address, or one with given cookies. */
export type Caller = { address: string; jar: Jar; language: string; cookie?: string };
export type Init = {
  method?: string;
  json?: unknown;
  body?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
};
export type Answer = { status: number; body: Record<string, unknown>; requestId: string };
/** Sends and measures a request; undefined without an answer. */
type Ask = (
  kind: Kind,
  at: number,
  who: Caller,
  path: string,
  init?: Init,
) => Promise<Answer | undefined>;

const phone =
  'Mozilla/5.0 (Linux; Android 13; TECNO BF7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36';
/** A browser's timeout for an answer, and how long a writer keeps retrying. */
const [patienceMs, stubbornMs] = [30_000, 90_000];

export const newCaller = (address: string, language = 'fr'): Caller => ({
  address,
  jar: new Jar(),
  language,
});
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Counts everything in a run; times are in ms since `start()`. */
export function openAsking(home: string) {
  let phase: Phase = 'warm';
  let started = performance.now();
  const firstByte: Report['firstByte'] = {};
  const [bySecond, late]: [Report['bySecond'], Report['late']] = [{}, {}];
  const [refused, faults]: [Report['refused'], Report['faults']] = [{}, {}];
  const written: Record<string, Written> = {};
  const add = <K extends string | number>(
    lists: Partial<Record<K, number[]>>,
    key: K,
    ms: number,
  ) => {
    lists[key] ??= [];
    lists[key].push(ms);
  };
  const count = (where: Report['faults'], when: Phase, what: string) => {
    where[when] ??= {};
    where[when][what] = (where[when][what] ?? 0) + 1;
  };
  const now = () => performance.now() - started;

  /** Waits for a planned moment. Only such waits can make the generator itself late. */
  async function until(at: number): Promise<void> {
    const left = at - now();
    if (left <= 0) return;
    await pause(left);
    add(late, phase, Math.max(0, now() - at));
  }

  /** Records a first byte of a request planned for `at`. */
  function answered(kind: Kind, at: number, before: Phase): void {
    const took = now() - at;
    const when = before === 'kill' || phase === 'kill' ? 'kill' : before;
    firstByte[when] ??= {};
    add(firstByte[when], kind, took);
    add(bySecond, Math.floor(at / 1000), took);
  }
  function failed(kind: Kind, before: Phase, what: string): void {
    count(faults, before === 'kill' || phase === 'kill' ? 'kill' : before, `${kind}: ${what}`);
  }

  const ask: Ask = async (
    kind,
    at,
    who,
    path,
    { method, json, body: given, headers: more } = {},
  ) => {
    await until(at);
    const before = phase;
    const body = json === undefined ? given : JSON.stringify(json);
    const headers: Record<string, string> = {
      'user-agent': phone,
      'x-forwarded-for': who.address,
      'accept-language': who.language,
      'accept-encoding': body === undefined ? 'br, gzip' : 'identity',
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...more,
    };
    const cookie = [who.cookie, who.jar.header()].filter(Boolean).join('; ');
    if (cookie) headers.cookie = cookie;
    try {
      const response = await fetch(`${home}${path}`, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(patienceMs),
        decompress: body !== undefined,
        ...(body === undefined ? {} : { body }),
      });
      const { status } = response;
      if (status < 500) answered(kind, at, before);
      who.jar.keep(response.headers);
      const isJson =
        body !== undefined && response.headers.get('content-type')?.startsWith('application/json');
      const read = isJson ? await response.json() : await response.arrayBuffer();
      const retry = response.headers.has('retry-after');
      if (status === 503 && retry) count(refused, before, `503 retry-after, ${kind}`);
      else if (status >= 500) failed(kind, before, `${status} ${path}`);
      else if (status >= 400)
        count(
          refused,
          before,
          `${status} ${codeOf(read) || (path.split('?')[0] ?? '').replaceAll(/\d+\/.*|\w{8}-.*/g, '')}, ${kind}`,
        );
      return {
        status,
        body: isJson ? (read as Answer['body']) : {},
        requestId: response.headers.get('x-request-id') ?? '',
      };
    } catch (error) {
      failed(kind, before, error instanceof Error ? error.name : String(error));
      return undefined;
    }
  };

  const ofAct = (act: string): Written => {
    written[act] ??= { texts: [], unheard: 0 };
    return written[act];
  };

  /**
   * Repeats a write under its key until acknowledged or refused, as a person does after a failure.
   * Its promise is later compared with the database.
   */
  async function write(
    act: string,
    kind: Kind,
    at: number,
    who: Caller,
    path: string,
    init: Init,
    promise: (answer: Answer) => string | undefined,
  ) {
    const headers = { 'idempotency-key': randomUUID(), ...init.headers };
    for (let next = at; next < at + stubbornMs; next = now() + 1000) {
      const answer = await ask(kind, next, who, path, { ...init, headers });
      if (answer && answer.status < 300) {
        const text = promise(answer);
        if (text !== undefined) ofAct(act).texts.push(text);
        return answer;
      }
      if (answer && answer.status < 500) return undefined;
      ofAct(act).unheard++;
    }
    return undefined;
  }

  return {
    ask,
    write,
    until,
    now,
    answered,
    failed,
    phase: () => phase,
    enter(next: Phase) {
      phase = next;
    },
    start() {
      started = performance.now();
    },
    report: (): Omit<Report, 'seconds' | 'visits' | 'uploaded' | 'lines'> => ({
      firstByte,
      bySecond,
      late,
      refused,
      faults,
      written,
    }),
  };
}
export type Asking = ReturnType<typeof openAsking>;

const codeOf = (read: unknown): string =>
  String((read as { error?: { code?: string } }).error?.code ?? '');
