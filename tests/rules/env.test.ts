import { describe, expect, test } from 'vitest';
import { BadEnvironment, readEnv } from '../../api/ops/env.ts';

const outside = { SMTP_URL: 'smtp://mail.example:587', PUBLIC_URL: 'https://marche54.example' };
const problemsOf = (source: Record<string, string>): string[] => {
  try {
    readEnv(source);
  } catch (error) {
    if (error instanceof BadEnvironment)
      return error.problems.map((problem) => problem.split(':')[0] as string);
    throw error;
  }
  return [];
};

describe('the environment', () => {
  test('needs nothing at all', () => {
    expect(readEnv({})).toMatchObject({
      PORT: 5454,
      demo: true,
      production: false,
      JOBS: true,
      LOG_LEVEL: 'warn',
      publicUrl: 'http://localhost:5454',
    });
  });

  test('takes an empty value for one that is not set', () => {
    expect(readEnv({ PORT: '', DATABASE_URL: '', DEMO: '', AUTH_SECRET: '' })).toEqual(readEnv({}));
  });

  test('names what is missing beside a network of the bot, and takes one client of WhatsApp alone', () => {
    const cloud = {
      WHATSAPP_CLOUD_TOKEN: 'a token of twenty letters and more',
      WHATSAPP_CLOUD_PHONE_ID: '100200300',
      WHATSAPP_CLOUD_APP_SECRET: 'a secret of sixteen',
      WHATSAPP_CLOUD_VERIFY_TOKEN: 'a-word-of-sixteen-letters',
    };
    expect(readEnv({ ...outside, DEMO: '0', ...cloud }).networks).toEqual(['whatsapp']);
    expect(readEnv({ ...outside, DEMO: '0', WHATSAPP_WEB: '1' }).networks).toEqual(['whatsapp']);
    expect(readEnv({ ...outside, DEMO: '0' }).networks).toEqual([]);
    for (const name of Object.keys(cloud))
      expect(problemsOf({ ...cloud, [name]: '' })).toEqual([name]);
    expect(problemsOf({ ...cloud, WHATSAPP_WEB: '1' })).toEqual([
      'WHATSAPP_WEB and WHATSAPP_CLOUD_TOKEN',
    ]);
    expect(problemsOf({ ...cloud, WHATSAPP_CLOUD_PHONE_ID: '+237 699' })).toEqual([
      'WHATSAPP_CLOUD_PHONE_ID',
    ]);
  });

  test('is refused with everything that is wrong at once', () => {
    const bad = {
      NODE_ENV: 'staging',
      PORT: '70000',
      DATABASE_URL: 'mysql://x',
      PUBLIC_URL: 'not an address',
      DEMO: 'yes',
      JOBS: 'true',
      AUTH_SECRET: 'short',
      SMTP_URL: 'http://mail',
      S3_ENDPOINT: 'ftp://files',
      LOG_LEVEL: 'loud',
      SENTRY_DSN: 'sentry',
      TRUST_PROXY: '2',
      LOAD_LIMITS: '0',
      METRICS_TOKEN: 'short',
      DRAIN_SECONDS: '-1',
    };
    expect(problemsOf(bad).sort()).toEqual(Object.keys(bad).sort());
  });

  test('names a missing setting even when another one is wrong', () => {
    expect(problemsOf({ NODE_ENV: 'production', PORT: '99999', S3_BUCKET: 'photos' })).toEqual([
      'PORT',
      'SMTP_URL',
      'PUBLIC_URL',
      'S3_ENDPOINT',
      'S3_ACCESS_KEY_ID',
      'S3_SECRET_ACCESS_KEY',
    ]);
  });

  test('says in its message what is wrong and where the settings are explained', () => {
    expect(() => readEnv({ PORT: 'abc', LOG_LEVEL: 'loud' })).toThrow(
      /PORT[\s\S]*LOG_LEVEL[\s\S]*\.env\.example/,
    );
  });

  for (const port of ['-1', '65536', '1.5', 'http', '0x'])
    test(`refuses the port ${port}`, () => expect(problemsOf({ PORT: port })).toEqual(['PORT']));

  test('needs the rest of the bucket’s settings beside its name, each named', () => {
    expect(problemsOf({ S3_BUCKET: 'photos' })).toEqual([
      'S3_ENDPOINT',
      'S3_ACCESS_KEY_ID',
      'S3_SECRET_ACCESS_KEY',
    ]);
    expect(
      problemsOf({
        S3_BUCKET: 'photos',
        S3_ENDPOINT: 'https://s3.example',
        S3_ACCESS_KEY_ID: 'id',
        S3_SECRET_ACCESS_KEY: 'key',
      }),
    ).toEqual([]);
  });

  test('writes the public address without a slash at its end', () => {
    expect(readEnv({ PUBLIC_URL: 'https://marche54.example//' }).publicUrl).toBe(
      'https://marche54.example',
    );
    expect(readEnv({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
  });
});

test('where the bot is found is read as people write it, and refused where it leads nowhere', () => {
  const { TELEGRAM_BOT_NAME, WHATSAPP_NUMBER } = readEnv({
    TELEGRAM_BOT_NAME: '@Marche54Bot',
    WHATSAPP_NUMBER: '+237 699-000-000',
  });
  expect([TELEGRAM_BOT_NAME, WHATSAPP_NUMBER]).toEqual(['Marche54Bot', '237699000000']);
  expect(problemsOf({ TELEGRAM_BOT_NAME: 'a b', WHATSAPP_NUMBER: '0699' })).toEqual([
    'TELEGRAM_BOT_NAME',
    'WHATSAPP_NUMBER',
    ...problemsOf({}),
  ]);
});

describe('the parts of the market that a process runs', () => {
  const parts: [string, Record<string, string>, string[]][] = [
    ['are all of them', {}, ['web', 'jobs', 'bot']],
    ['are pages alone where JOBS=0', { JOBS: '0' }, ['web']],
    ['are those that ROLES names', { ROLES: 'web' }, ['web']],
    [
      'are named in any order, with spaces, and twice',
      { ROLES: ' bot, jobs,bot' },
      ['bot', 'jobs'],
    ],
    ['may be pages and the bot where JOBS=0', { ROLES: 'web,bot', JOBS: '0' }, ['web', 'bot']],
  ];
  for (const [name, source, expected] of parts)
    test(name, () => expect([...readEnv(source).roles]).toEqual(expected));

  test.each(['all', 'web;jobs', 'web,', ',', 'WEB', 'web,cron'])(
    'are not %s, which is said in a sentence',
    (ROLES) => {
      expect(() => readEnv({ ROLES })).toThrow(
        'ROLES: must name parts of the market: web, jobs, bot, with commas between them',
      );
      expect(problemsOf({ ROLES })).toEqual(['ROLES']);
    },
  );

  test('are not jobs while JOBS=0', () =>
    expect(problemsOf({ ROLES: 'web, jobs', JOBS: '0' })).toEqual(['ROLES']));
});

test('the way around a pooler needs the pooler', () => {
  expect(problemsOf({ DATABASE_DIRECT_URL: 'postgres://db/marche54' })).toEqual(['DATABASE_URL']);
  expect(
    problemsOf({
      ...outside,
      DATABASE_URL: 'postgres://pool:6432/marche54',
      DATABASE_DIRECT_URL: 'postgres://db/marche54',
    }),
  ).toEqual([]);
});

describe('the address to listen on', () => {
  const cases: [string, Record<string, string>, string][] = [
    ['is this machine’s own in the demo', {}, '127.0.0.1'],
    [
      'is this machine’s own in a demo on a database of its own',
      { DATABASE_URL: 'postgres://db/marche54', DEMO: '1' },
      '127.0.0.1',
    ],
    [
      'is this machine’s own in a demo in production',
      { NODE_ENV: 'production', DEMO: '1' },
      '127.0.0.1',
    ],
    ['is every one outside the demo', { ...outside, NODE_ENV: 'production' }, '0.0.0.0'],
    ['is every one where the demo is switched off', { ...outside, DEMO: '0' }, '0.0.0.0'],
    ['is what HOST says in the demo', { HOST: '0.0.0.0' }, '0.0.0.0'],
    ['is what HOST says outside it', { ...outside, DEMO: '0', HOST: '10.0.0.7' }, '10.0.0.7'],
    ['is not changed by an empty HOST', { HOST: '' }, '127.0.0.1'],
  ];
  for (const [name, source, host] of cases)
    test(name, () => expect(readEnv(source).HOST).toBe(host));
});

describe('demo mode (product R0)', () => {
  const database = { DATABASE_URL: 'postgres://db/marche54' };
  const production = { NODE_ENV: 'production' };
  const truth: [string, Record<string, string>, boolean][] = [
    ['the embedded database is the demo', {}, true],
    ['the embedded database in development is the demo', { NODE_ENV: 'development' }, true],
    ['the embedded database with DEMO=0 is no demo', { DEMO: '0' }, false],
    ['a database of its own is no demo', database, false],
    [
      'a database of its own in development is no demo',
      { ...database, NODE_ENV: 'development' },
      false,
    ],
    ['production is no demo, even on the embedded database', production, false],
    ['production with a database is no demo', { ...production, ...database }, false],
    ['a database with DEMO=1 is a demo', { ...database, DEMO: '1' }, true],
    ['production with DEMO=1 is a demo', { ...production, DEMO: '1' }, true],
    [
      'production with a database and DEMO=1 is a demo',
      { ...production, ...database, DEMO: '1' },
      true,
    ],
    [
      'production with a database and DEMO=0 is no demo',
      { ...production, ...database, DEMO: '0' },
      false,
    ],
  ];
  for (const [name, source, demo] of truth) {
    test(name, () => expect(readEnv({ ...outside, ...source }).demo).toBe(demo));
    if (!demo)
      test(`${name}, so it needs a mail server and a public address`, () =>
        expect(problemsOf(source)).toEqual(['SMTP_URL', 'PUBLIC_URL']));
    else
      test(`${name}, so it needs neither a mail server nor a public address`, () =>
        expect(problemsOf(source)).toEqual([]));
  }
});
