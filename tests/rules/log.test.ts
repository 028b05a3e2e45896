import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLog, logLevels } from '../../api/ops/log.ts';
import { publicMessage, redact } from '../../api/shared/redact.ts';

function captured(level?: (typeof logLevels)[number]) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({
    ...(level ? { level } : {}),
    write: (line) => lines.push(JSON.parse(line)),
    now: () => new Date('2026-11-23T08:00:00Z'),
  });
  return { log, lines };
}

describe('the log (product §10)', () => {
  test('knows debug, info, warn, error and critical, and writes from warn on unless told', () => {
    expect(logLevels).toEqual(['debug', 'info', 'warn', 'error', 'critical']);
    const { log, lines } = captured();
    for (const level of logLevels) log[level](level);
    expect(lines.map((line) => line.level)).toEqual(['warn', 'error', 'critical']);
  });

  for (const [index, level] of logLevels.entries()) {
    test(`writes ${level} and everything above it when told so`, () => {
      const { log, lines } = captured(level);
      for (const name of logLevels) log[name]('x');
      expect(lines.map((line) => line.level)).toEqual(logLevels.slice(index));
    });
  }

  test('writes one line of JSON an entry, with its time', () => {
    const { log, lines } = captured();
    log.error('It failed', { requestId: 'r1' });
    expect(lines).toEqual([
      { at: '2026-11-23T08:00:00.000Z', level: 'error', message: 'It failed', requestId: 'r1' },
    ]);
  });

  describe('that is told to write the same entry once in ten seconds', () => {
    function once() {
      const lines: Record<string, unknown>[] = [];
      const clock = { ms: Date.parse('2026-11-23T08:00:00Z') };
      const log = createLog({
        write: (line) => lines.push(JSON.parse(line)),
        now: () => new Date(clock.ms),
        everySeconds: 10,
      });
      return { lines, clock, log };
    }
    const failed = (log: ReturnType<typeof createLog>, requestId: string, why = 'ECONNREFUSED') =>
      log.error('It failed', {
        requestId,
        error: Object.assign(new Error(why), { stack: requestId }),
      });

    test('writes the first one at once, and the next one after that time with how often and for whom it was left out', () => {
      const { lines, clock, log } = once();
      for (let n = 0; n < 100; n++) failed(log, `r${n}`);
      expect(lines).toMatchObject([{ message: 'It failed', requestId: 'r0' }]);
      clock.ms += 10_000;
      failed(log, 'r100');
      expect(lines.slice(1)).toMatchObject([
        { message: 'It failed', again: 99, requests: expect.arrayContaining(['r1', 'r50']) },
        { message: 'It failed', requestId: 'r100' },
      ]);
      expect(lines[1]?.requests).toHaveLength(50);
    });

    test('writes what differs in level, words or cause', () => {
      const { lines, log } = once();
      failed(log, 'r1');
      failed(log, 'r2', 'ENOSPC');
      log.warn('It failed');
      log.error('It failed', { job: 'back-up' });
      log.error('It failed', { job: 'cleanup' });
      expect(lines).toHaveLength(5);
    });

    test('writes an error of another place, though its message is the same', () => {
      const { lines, log } = once();
      const thrown = (place: string, text = 'x') =>
        log.error('x', {
          error: Object.assign(new Error('x'), { stack: `Error: ${text}\n    at ${place}` }),
        });
      thrown('a (/market/a.ts:1:1)', 'request 1');
      thrown('a (/market/a.ts:1:1)', 'request 2');
      thrown('b (/market/b.ts:1:1)');
      expect(lines).toHaveLength(2);
    });

    test('remembers a thousand different ones at most, and loses none of the others', () => {
      const { lines, clock, log } = once();
      for (let n = 0; n < 1500; n++) log.error(`failure ${n}`);
      expect(lines).toHaveLength(1500);
      log.error('failure 0');
      log.error('failure 1400');
      expect(lines).toHaveLength(1501);
      clock.ms += 10_000;
      log.error('failure 0');
      expect(lines.slice(1501)).toMatchObject([
        { message: 'failure 0', again: 1 },
        { message: 'failure 0' },
      ]);
    });

    test('writes the count although nothing more comes', () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      onTestFinished(() => void vi.useRealTimers());
      const { lines, clock, log } = once();
      failed(log, 'r1');
      failed(log, 'r2');
      clock.ms += 10_000;
      vi.advanceTimersByTime(10_000);
      expect(lines).toMatchObject([{ requestId: 'r1' }, { requestId: 'r2', again: 1 }]);
    });
  });

  for (const field of [
    'password',
    'token',
    'apiKey',
    'secret',
    'whatsapp',
    'Password',
    'seller_whatsapp',
    'sellerWhatsapp',
    'AUTH_SECRET',
    'api_key',
    'API-KEY',
    'newPassword',
    'tokenHash',
    'msisdn',
    'phoneNumber',
    'Authorization',
    'Signature-Input',
    'Set-Cookie',
  ]) {
    test(`never writes the value of a field named ${field}`, () => {
      const { log, lines } = captured();
      log.error('x', { [field]: 'confidential', deep: { list: [{ [field]: 'confidential' }] } });
      expect(JSON.stringify(lines)).not.toContain('confidential');
      expect(JSON.stringify(lines)).toContain('[redacted]');
    });
  }

  test('never writes a phone number that an error or a message quotes', () => {
    const { log, lines } = captured();
    const cause = new Error('params: +237699001234');
    log.error('Failed for +237699001234', {
      error: new Error('Failed query: insert … +237699001234', { cause }),
    });
    expect(JSON.stringify(lines)).not.toContain('699001234');
  });

  test.each([
    ['{"payer":{"msisdn":"237670000000"}}', '{"payer":{"msisdn":"[redacted]"}}'],
    ['GET /v2/deposits?number=237699001234 404', 'GET /v2/deposits?number=[redacted] 404'],
    ['670 12 34 56 and 00237655443322 refused', '[redacted] and [redacted] refused'],
    ['payer 6 99 00 12 34, 12 500 XAF', 'payer [redacted], 12 500 XAF'],
  ])('hides numbers without a plus: %s', (text, hidden) => {
    const { log, lines } = captured();
    log.error(text, { note: text, error: new Error(text) });
    expect(lines[0]).toMatchObject({ message: hidden, note: hidden, error: { message: hidden } });
  });

  test.each([
    'purchase 7a689853-e665-4707-97c1-0a2efc4d6f6e is pending',
    'hash 6576871243f5c64ff9b4c198e43efcb965b776549154c87af693f5c11efa1228',
    'amount 1 250 000 XAF, paid 12500 at 2026-11-29T08:00:00.123Z, due 1764403200123',
    'listening on 127.0.0.1:3900, telegram chat 6991234567',
  ])('keeps ids, prices and times: %s', (text) => {
    const { log, lines } = captured();
    log.error(text);
    expect(lines[0]?.message).toBe(text);
  });

  for (const [name, text, kept] of [
    [
      'a mail address',
      'Sign-up attempt for existing email: ngono.biyong+x@mail.example.cm',
      'Sign-up attempt',
    ],
    ['a token in a link', 'GET /en/reset-password?token=ngono&page=2', '&page=2'],
    ['a session’s cookie', 'cookie: marche54.session_token=ngono.abc; theme=dark', 'theme=dark'],
    ['the name under which a reset link is kept', 'no row reset-password:ngono', 'no row'],
    [
      'parameters over several lines',
      'Failed query: insert\nparams: a,\nngono\n\n    ngono',
      'Failed query: insert',
    ],
  ] as const) {
    test(`never writes ${name}, in a message, a field or an error`, () => {
      const { log, lines } = captured();
      log.error(text, { note: text, error: new Error(text) });
      expect(JSON.stringify(lines)).not.toContain('ngono');
      expect(JSON.stringify(lines).split(JSON.stringify(kept).slice(1, -1)).length).toBeGreaterThan(
        3,
      );
    });
  }

  test('takes its time with no text, however it is made', () => {
    const { log, lines } = captured();
    for (const text of [
      'a'.repeat(200_000),
      `${'a@'.repeat(100_000)}`,
      `a@${'a.'.repeat(100_000)}`,
      'params: \n'.repeat(20_000),
      'token='.repeat(30_000),
      '699001234 '.repeat(20_000),
      'a689001234b'.repeat(20_000),
      '7a689853-e665-4707-97c1-0a2efc4d6f6e 699001234 '.repeat(10_000),
    ])
      log.error(text);
    expect(lines).toHaveLength(8);
  });

  test('leaves versions, paths and handles as they are', () => {
    const { log, lines } = captured();
    const text =
      'at fn (node_modules/.bun/nodemailer@10.6.0/node_modules/@astrojs/react/index.js:1:2) render@http://market.test/a.js';
    log.error(text);
    expect(lines[0]?.message).toBe(text);
  });

  test('keeps name, message and stack of an error, and its cause', () => {
    const { log, lines } = captured();
    log.error('x', { error: new TypeError('broken', { cause: new Error('deeper') }) });
    expect(lines[0]?.error).toMatchObject({
      name: 'TypeError',
      message: 'broken',
      cause: { message: 'deeper' },
    });
    expect(JSON.stringify(lines[0])).toContain('log.test.ts');
  });

  test('copes with circles, big integers and dates', () => {
    const circle: Record<string, unknown> = { big: 54n, at: new Date(0) };
    circle.self = circle;
    expect(redact(circle)).toEqual({ big: '54', at: '1970-01-01T00:00:00.000Z', self: '[again]' });
  });

  test('leaves other fields as they are', () => {
    const fields = { id: 1, name: 'Ngono', nothing: null, list: [1, 'two', { three: false }] };
    expect(redact(fields)).toEqual(fields);
  });
});

describe('the text of an error for the public', () => {
  const cause = new Error('relation "drums" does not exist');
  test.each<[unknown, string]>([
    [new Error('drums is undefined'), 'drums is undefined'],
    ['a word', 'a word'],
    [new Error('Failed query: select 1\nparams: Ngo', { cause }), cause.message],
    [new Error('Failed query: select id\nfrom "user"\nparams: Ngo'), 'Failed query: [redacted]'],
    [
      new Error("ENOENT: no such file, open '/var/lib/marche54/key'"),
      "ENOENT: no such file, open '[path]'",
    ],
    [new Error('file:///opt/marche54/api/app.ts broke'), '[path] broke'],
    [new Error('postgres://market:pass@localhost/x'), 'postgres://[redacted]@localhost/x'],
    [new Error('no user ngo@market.test'), 'no user [address]'],
    [new Error('token=abc is wrong'), 'token=[redacted] is wrong'],
    [new Error('nobody has 6 77 12 34 56'), 'nobody has [redacted]'],
    [new Error('x'.repeat(1000)), 'x'.repeat(300)],
  ])('%s → %s', (error, text) => expect(publicMessage(error)).toBe(text));

  test('of errors that are each other’s cause ends', () => {
    const one = new Error('one');
    one.cause = new Error('two', { cause: one });
    expect(publicMessage(one)).toMatch(/one|two/);
  });
});
