import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { logUncaught, redirectConsole } from '../../api/ops/console.ts';
import { createLog } from '../../api/ops/log.ts';

const lines: { level: string; message: string; [field: string]: unknown }[] = [];
const log = createLog({ level: 'debug', write: (line) => lines.push(JSON.parse(line)) });
let undo = () => {};
afterEach(() => {
  undo();
  lines.length = 0;
});
const written = () => JSON.stringify(lines);

describe('what libraries write to the console', () => {
  test('is an entry of the log, at its level', () => {
    undo = redirectConsole(log);
    console.debug('a');
    console.log('b');
    console.info('c');
    console.warn('d');
    console.error('e');
    undo();
    expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'debug a',
      'info b',
      'info c',
      'warn d',
      'error e',
    ]);
  });

  test('loses what must not be read, in words, objects and errors', () => {
    undo = redirectConsole(log);
    const statement = 'insert into "outbox" ("recipient", "body") values ($1, $2)';
    console.error(
      new Error(
        `Failed query: ${statement}\nparams: ngono@example.test,Hello,\n\nhttp://market.test/en/reset-password?token=abc123\n\nBye`,
      ),
    );
    console.warn('for ngono@example.test, +237699001234', {
      password: 'confidential',
      note: 'http://x.test/?a=1&token=abc123',
    });
    undo();
    for (const secret of ['ngono@', 'abc123', '699001234', 'confidential', 'Hello', 'Bye'])
      expect(written()).not.toContain(secret);
    expect(written()).toContain('Failed query');
    expect(written()).toContain('console.test.ts');
  });
});

describe('what nobody caught', () => {
  test('is in the log without its values; a rejection ends nothing, an exception does', () => {
    const host = new EventEmitter();
    let ended = 0;
    undo = logUncaught(log, () => ended++, host as never);
    host.emit(
      'unhandledRejection',
      Object.assign(new Error('lost\nparams: ngono@example.test'), {
        parameters: ['ngono@example.test'],
      }),
    );
    expect([ended, lines]).toMatchObject([
      0,
      [{ level: 'critical', error: { message: 'lost\nparams: [redacted]' } }],
    ]);
    host.emit('uncaughtException', new Error('broken'));
    expect([ended, lines[1]]).toMatchObject([
      1,
      { level: 'critical', error: { message: 'broken' } },
    ]);
    expect(written()).not.toContain('ngono@');
    undo();
    expect(host.eventNames()).toEqual([]);
  });
});
