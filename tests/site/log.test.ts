import { describe, expect, test, vi } from 'vitest';
import { redact } from '../../api/shared/redact.ts';
import { type Fields, type Level, levels, log, makeLogger } from '../../site/src/lib/log.ts';

describe('the browser’s log', () => {
  test('writes warnings and worse, nothing below', () => {
    const written: Level[] = [];
    const log = makeLogger({ write: (level) => written.push(level) });
    for (const level of levels) log[level]('x');
    expect(written).toEqual(['warn', 'error', 'critical']);
  });

  test('writes to the console, each level by its own method', () => {
    const written: string[] = [];
    const spies = (['debug', 'info', 'warn', 'error'] as const).map((method) =>
      vi
        .spyOn(console, method)
        .mockImplementation((line) => void written.push(`${method} ${line}`)),
    );
    for (const level of levels) log[level]('x');
    for (const spy of spies) spy.mockRestore();
    expect(written).toEqual(['warn [warn] x', 'error [error] x', 'error [critical] x']);
  });

  test.each(['password', 'token', 'apiKey', 'secret', 'whatsapp'])(
    'never writes a field named %s',
    (name) => {
      let fields: Fields | undefined;
      makeLogger({ write: (_, __, given) => (fields = given) }).critical('x', { [name]: 'hidden' });
      expect(fields).toEqual({ [name]: '[redacted]' });
    },
  );

  test('hides what is secret before it is written', () => {
    let fields: Fields | undefined;
    makeLogger({ write: (_, __, given) => (fields = given) }).error('x', { token: 'abc', slot: 7 });
    expect(fields).toEqual({ token: '[redacted]', slot: 7 });
  });

  test('hides it at any depth, in any case, in lists, maps and errors', () => {
    const failure = Object.assign(new Error('no'), { apiKey: 'k', cause: { Secret: 's' } });
    const clean = redact({
      a: [
        {
          PASSWORD: 'p',
          b: new Map([
            ['WhatsApp', '+237'],
            ['c', 'd'],
          ]),
        },
      ],
      failure,
    }) as {
      a: unknown;
      failure: Fields;
    };
    expect(clean.a).toEqual([{ PASSWORD: '[redacted]', b: { WhatsApp: '[redacted]', c: 'd' } }]);
    expect(clean.failure).toMatchObject({
      name: 'Error',
      message: 'no',
      cause: { Secret: '[redacted]' },
    });
    expect(JSON.stringify(clean)).not.toContain('"k"');
  });

  test('leaves the original alone, writes what is shared once and survives a circle', () => {
    const shared = { token: 'abc' };
    const given: Fields = { one: shared, two: shared };
    given.self = given;
    expect(redact(given)).toEqual({
      one: { token: '[redacted]' },
      two: '[again]',
      self: '[again]',
    });
    expect(shared.token).toBe('abc');
  });
});
