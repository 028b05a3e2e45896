import { describe, expect, test } from 'vitest';
import { createLog } from '../../api/ops/log.ts';
import { createReporter, isIgnored, parseDsn, sampleRate } from '../../api/ops/reporter.ts';
import { testApp } from '../support/app.ts';

type Sent = { url: string; headers: Headers; lines: Record<string, unknown>[] };

function reporter({
  dsn = 'https://key@errors.example/prefix/42',
  random = 0,
}: {
  dsn?: string;
  random?: number;
} = {}) {
  const lines: Record<string, unknown>[] = [];
  const sent: Sent[] = [];
  const made = createReporter({
    log: createLog({ level: 'warn', write: (line) => lines.push(JSON.parse(line)) }),
    dsn,
    random: () => random,
    now: () => new Date('2026-11-23T08:00:00Z'),
    fetch: (async (url: string, init: RequestInit) => {
      sent.push({
        url,
        headers: new Headers(init.headers),
        lines: String(init.body)
          .split('\n')
          .map((line) => JSON.parse(line)),
      });
      return new Response();
    }) as never,
  });
  return { made, lines, sent };
}

describe('the reporter', () => {
  test('writes every report to the log, and a sampled one to the configured address as an envelope', () => {
    const { made, lines, sent } = reporter({ random: sampleRate - 0.001 });
    made.report({
      source: 'browser',
      kind: 'error',
      message: 'x is not a function',
      page: 'https://market.test/',
      stack: 'at y',
    });
    expect(lines).toMatchObject([
      {
        level: 'error',
        message: 'browser error: x is not a function',
        page: 'https://market.test/',
      },
    ]);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.url).toBe('https://errors.example/prefix/api/42/envelope/');
    expect(sent[0]?.headers.get('x-sentry-auth')).toContain('sentry_key=key');
    expect(sent[0]?.lines[1]).toEqual({ type: 'event' });
    expect(sent[0]?.lines[2]).toMatchObject({
      level: 'error',
      exception: { values: [{ value: 'x is not a function' }] },
    });
  });

  test('sends one in ten on: the rest stays in the log', () => {
    const { made, lines, sent } = reporter({ random: sampleRate });
    made.report({ source: 'server', kind: 'error', message: 'broken' });
    expect(lines).toHaveLength(1);
    expect(sent).toHaveLength(0);
    expect(sampleRate).toBe(0.1);
  });

  test('keeps secrets and numbers to itself', () => {
    const { made, lines, sent } = reporter();
    made.report({
      source: 'server',
      kind: 'error',
      message: 'call to +237699001122 failed',
      extra: { password: 'hidden-word', deep: { whatsapp: '+237699001122' } },
    });
    for (const text of [JSON.stringify(lines), JSON.stringify(sent)]) {
      expect(text).not.toContain('699001122');
      expect(text).not.toContain('hidden-word');
    }
  });

  test('writes a slow page as a warning', () => {
    const { made, lines } = reporter();
    made.report({ source: 'browser', kind: 'performance', message: 'LCP 3100' });
    expect(lines).toMatchObject([{ level: 'warn' }]);
  });

  test.each([
    'Failed to fetch',
    'NetworkError when attempting to fetch resource.',
    'ResizeObserver loop completed with undelivered notifications.',
    'Load failed',
  ])('ignores “%s”', (message) => {
    const { made, lines, sent } = reporter();
    made.report({ source: 'browser', kind: 'error', message });
    expect(isIgnored(message)).toBe(true);
    expect([lines, sent]).toEqual([[], []]);
  });

  test('refuses an address that is none', () => {
    expect(() => parseDsn('https://errors.example/42')).toThrow();
    expect(() => parseDsn('https://key@errors.example/')).toThrow();
  });
});

describe('POST /api/errors', () => {
  test('takes a browser’s report', async () => {
    const market = await testApp();
    const answer = await market.call('/api/errors', {
      json: { kind: 'error', message: 'boom', page: 'http://market.test/' },
    });
    expect(answer.status).toBe(202);
    expect(market.logged.some((line) => String(line.message).includes('boom'))).toBe(true);
  });

  test('refuses another shape, and too many from one address', async () => {
    const market = await testApp();
    expect(
      (
        await market.call('/api/errors', {
          json: { kind: 'error', message: 'x', page: '/', more: 1 },
        })
      ).status,
    ).toBe(400);
    const report = () =>
      market.call('/api/errors', {
        json: { kind: 'error', message: 'again', page: '/' },
        address: '10.9.9.9',
      });
    const statuses: number[] = [];
    for (let i = 0; i < 201; i++) statuses.push((await report()).status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(200);
    expect(statuses.at(-1)).toBe(429);
  });
});
