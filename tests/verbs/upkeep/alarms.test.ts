import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, like } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { beginAlarm } from '../../../api/alarms/begin.ts';
import { alarmReport } from '../../../api/alarms/reads.ts';
import { type AlarmKind, alarmKinds, alarmRules } from '../../../api/alarms/rules.ts';
import { backupName } from '../../../api/backup/names.ts';
import { audit } from '../../../api/core/audit.ts';
import { inTransaction } from '../../../api/core/transaction.ts';
import { alarmLooks, diskLook } from '../../../api/upkeep/alarmLooks.ts';
import { judgeAlarms } from '../../../api/upkeep/judgeAlarms.ts';
import { schema } from '../../../db/client.ts';
import { actors, signInAdmin } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { token } from '../../support/botApi.ts';
import { runbook } from '../../support/runbook.ts';
import { chatting } from '../../support/talk.ts';
import { plain } from '../../support/text.ts';

const folder = await mkdtemp(join(tmpdir(), 'alarms-'));
const market = await testApp({ env: { TELEGRAM_BOT_TOKEN: token, BACKUP_DIR: folder } });
const { admin } = await actors(market);
const french = await signInAdmin(market, { language: 'fr' });
const second = market.database.another({ max: 4 });
const { alarms, healthChecks, jobRuns, outbox } = schema;
const address = 'f'.repeat(32);

let disk = { free: 50e9, size: 100e9 };
const looks = {
  ...alarmLooks,
  diskFull: diskLook(async () => [{ folder: 'data' as const, ...disk }]),
};
const backup = (hours = 0) =>
  writeFile(
    join(folder, backupName(new Date(market.clock.now().getTime() - hours * 3_600_000))),
    '',
  );
const noBackups = async () => {
  for (const name of await readdir(folder)) await rm(join(folder, name));
};

beforeEach(async () => {
  await market.reset();
  await noBackups();
  await backup();
  disk = { free: 50e9, size: 100e9 };
  await chatting(market, { person: admin });
  await chatting(market, { person: french, address: 'another' });
});
afterAll(() => rm(folder, { recursive: true }));

/** Two processes judge at the same moment. */
const judge = () =>
  Promise.all([
    judgeAlarms(market.job('judge-alarms'), looks),
    judgeAlarms(market.job('judge-alarms', second.db), looks),
  ]);
async function judgeFor(minutes: number) {
  for (let passed = 0; passed < minutes; passed += 5) {
    await judge();
    market.clock.advance({ minutes: 5 });
  }
  await judge();
}
const toldKinds = ['alarmBegan', 'alarmOver', 'contactHarvest'];
async function told() {
  const rows = await market.db.select().from(outbox).orderBy(outbox.turn);
  return rows.filter(({ kind }) => toldKinds.includes(kind));
}
const run = (name: string, values: Partial<typeof jobRuns.$inferInsert>) => {
  const row = {
    name,
    startedAt: market.clock.now(),
    finishedAt: market.clock.now(),
    outcome: 'done' as const,
    ...values,
  };
  return market.db
    .insert(jobRuns)
    .values(row)
    .onConflictDoUpdate({ target: jobRuns.name, set: row });
};
const checked = (status: 'healthy' | 'error', code = 'errors:health.storageUnavailable') =>
  market.db
    .insert(healthChecks)
    .values({ checkedAt: market.clock.now(), name: 'storage', status, code });
const refused = (n: number, values: Partial<typeof outbox.$inferInsert> = {}) => {
  const at = market.clock.now();
  const letter = {
    channel: 'email' as const,
    language: 'en' as const,
    kind: 'sellerVerified',
    subject: '',
    bodyText: '',
    bodyHtml: '',
    createdAt: at,
  };
  return market.db.insert(outbox).values({
    ...letter,
    recipient: `refused${n}@example.test`,
    nextAttemptAt: at,
    attempts: 2,
    lastError: '535',
    ...values,
  });
};
const wrong = { checks: 60, wrong: [{ name: 'slots', mend: 'byHand', count: 2, ids: [] }] };

type Trouble = { begin: () => Promise<unknown>; end: () => Promise<unknown>; says: string };
const troubles: Record<AlarmKind, Trouble> = {
  backupFailed: {
    begin: () => run('back-up', { outcome: 'failed', failuresInARow: 1 }),
    end: async () => {
      market.clock.advance({ minutes: 1 });
      await backup();
    },
    says: 'failed in a row: 1',
  },
  backupOld: {
    begin: async () => {
      await noBackups();
      await backup(37);
    },
    end: () => backup(),
    says: 'more than 36 hours old',
  },
  ruleBroken: {
    begin: () => run('check-market', { detail: wrong }),
    end: () => run('check-market', { detail: { checks: 60, wrong: [] } }),
    says: '1 (slots)',
  },
  diskFull: {
    begin: async () => {
      disk = { free: 4.9e9, size: 100e9 };
    },
    end: async () => {
      disk = { free: 9e9, size: 100e9 };
    },
    says: 'Free: 4.9 GB of 100 GB',
  },
  healthRed: {
    begin: () => checked('error'),
    end: () => checked('healthy'),
    says: 'Checks with an error: Storage',
  },
  deliveryFailed: {
    begin: async () => {
      await refused(1);
      await refused(2);
    },
    end: () =>
      market.db
        .update(outbox)
        .set({ state: 'sent', sentAt: market.clock.now() })
        .where(like(outbox.recipient, 'refused%')),
    says: 'last day: 2',
  },
  harvest: {
    begin: () =>
      inTransaction(market.job('test'), async (tx) => {
        await audit(tx, { action: 'contact.harvest', subjectKind: 'address', subjectId: address });
        await beginAlarm(tx, 'harvest', address, { products: 30, live: 54, most: 20 });
      }),
    end: async () => void market.clock.advance({ hours: 6 }),
    says: '30 different products',
  },
};

describe.each(alarmKinds)('%s', (kind) => {
  const { begin, end, says } = troubles[kind];
  const began = kind === 'harvest' ? 'contactHarvest' : 'alarmBegan';

  test('notifies each admin once when it begins and once when it is over, by mail and chat, in their language', async () => {
    await judge();
    await begin();
    await judgeFor(20);
    const first = await told();
    expect(
      first.map(({ kind: letter, channel, language }) => `${letter} ${channel} ${language}`).sort(),
    ).toEqual(
      [
        `${began} email en`,
        `${began} email fr`,
        `${began} telegram en`,
        `${began} telegram fr`,
      ].sort(),
    );
    for (const { language, bodyText } of first) {
      expect(bodyText).toContain(
        `http://market.test/${language}/admin/runbook#${alarmRules[kind].runbook}`,
      );
      expect(bodyText).toMatch(language === 'fr' ? /novembre/ : /November/);
      expect(bodyText).not.toMatch(/\{\{|undefined/);
    }
    expect(
      plain(
        first.find(({ language, channel }) => language === 'en' && channel === 'email')?.bodyText ??
          '',
      ),
    ).toContain(says);
    const report = async () =>
      (await alarmReport(await market.ctx(admin))).map(({ kind: name, overAt }) => [
        name,
        overAt !== null,
      ]);
    expect(await report()).toEqual([[kind, false]]);

    await end();
    await judgeFor(40);
    expect(
      (await told())
        .slice(4)
        .map(({ kind: letter, channel, language }) => `${letter} ${channel} ${language}`)
        .sort(),
    ).toEqual([
      'alarmOver email en',
      'alarmOver email fr',
      'alarmOver telegram en',
      'alarmOver telegram fr',
    ]);
    expect(await report()).toEqual([[kind, true]]);
    await judgeFor(10);
    expect(await told()).toHaveLength(8);
  });

  test('has a section in the runbook', () => {
    const anchors = [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );
    expect(anchors).toContain(alarmRules[kind].runbook);
  });
});

describe('an alarm', () => {
  test('does not flap: trouble that passes is not told, nor is a short peace', async () => {
    for (let n = 0; n < 6; n++) {
      await checked(n % 2 === 0 ? 'error' : 'healthy');
      await judgeFor(5);
    }
    expect(await told()).toEqual([]);
    await checked('error');
    await judgeFor(10);
    for (let n = 0; n < 6; n++) {
      await checked(n % 2 === 0 ? 'healthy' : 'error');
      await judgeFor(5);
    }
    expect(await told()).toHaveLength(4);
  });

  test('of a disk begins below its limit and ends above one and a half times that', async () => {
    const trials: [free: number, began: number][] = [
      [5.1e9, 0],
      [4.9e9, 1],
      [7e9, 1],
      [4e9, 1],
      [7e9, 1],
    ];
    for (const [free, began] of trials) {
      disk = { free, size: 100e9 };
      await judgeFor(40);
      expect([free, (await told()).length / 4]).toEqual([free, began]);
    }
  });

  test('that cannot be looked at stays as it is; so does a broken rule while the rules are looked at again', async () => {
    await troubles.ruleBroken.begin();
    await judge();
    await run('check-market', { outcome: 'running', finishedAt: null });
    const blind = { ...looks, backupOld: () => Promise.reject(new Error('EACCES')) };
    expect(await judgeAlarms(market.job('judge-alarms'), blind)).toEqual({
      began: [],
      over: [],
      unknown: ['backupOld'],
    });
    expect(await told()).toHaveLength(4);
    expect(
      (await market.db.select().from(alarms).where(eq(alarms.kind, 'ruleBroken')))[0]?.overAt,
    ).toBeNull();
  });

  test('is told to nobody when the transaction that keeps it fails', async () => {
    await troubles.backupOld.begin();
    await market.sql`alter table outbox add constraint refused check (kind <> 'alarmBegan') not valid`;
    await expect(judgeAlarms(market.job('judge-alarms'), looks)).rejects.toThrow();
    await market.sql`alter table outbox drop constraint refused`;
    expect(await market.db.select().from(alarms)).toEqual([]);
    await judge();
    expect(await told()).toHaveLength(4);
  });

  test('a folder that does not exist holds no backup', async () => {
    await rm(folder, { recursive: true });
    try {
      market.clock.advance({ hours: 37 });
      await market.db.delete(schema.secrets);
      await market.db.insert(schema.secrets).values({
        name: 'auth',
        value: 'secret',
        createdAt: new Date(market.clock.now().getTime() - 37 * 3_600_000),
      });
      await judge();
      expect((await told()).map(({ bodyText }) => plain(bodyText))).toContainEqual(
        expect.stringContaining('There is no backup yet'),
      );
    } finally {
      await mkdir(folder);
    }
  });

  test('a market without backups is late 36 hours after its first start, whenever its ledger begins', async () => {
    await noBackups();
    const ago = (hours: number) => new Date(market.clock.now().getTime() - hours * 3_600_000);
    await market.db.delete(schema.secrets);
    await market.db.insert(schema.secrets).values([
      { name: 'auth', value: 'secret', createdAt: ago(35) },
      { name: 'credits', value: 'key', createdAt: ago(700) },
    ]);
    await judge();
    expect(await told()).toEqual([]);
    market.clock.advance({ hours: 2 });
    await judge();
    expect((await told()).map(({ bodyText }) => plain(bodyText))).toContainEqual(
      expect.stringContaining('There is no backup yet, more than 36 hours after'),
    );
  });

  test('is for admins alone to see and to judge', async () => {
    await expect(alarmReport(await market.ctx())).rejects.toThrow('signInRequired');
    await expect(judgeAlarms(await market.ctx())).rejects.toThrow('signInRequired');
  });
});

describe('failed deliveries', () => {
  test('of one person, between others that arrive, or to chats that blocked the bot, are no alarm', async () => {
    await refused(1);
    await judgeFor(20);
    await refused(2, { state: 'sent', sentAt: market.clock.now(), lastError: null });
    market.clock.advance({ minutes: 1 });
    await refused(3);
    await judgeFor(20);
    for (const key of ['a chat', 'another']) {
      const { keyHash } = await chatting(market, { address: `${key} blocked` });
      await market.sql`update chats set blocked_at = now() where key_hash = ${keyHash}`;
      await refused(0, { channel: 'telegram', recipient: keyHash });
    }
    await judgeFor(20);
    expect(await told()).toEqual([]);
  });

  test('of a chat network that its process cannot reach are one', async () => {
    const at = market.clock.now();
    await market.db
      .insert(schema.chatChannels)
      .values({ transport: 'telegram', client: 'polling', state: 'failing', seenAt: at });
    for (let n = 0; n < 4; n++) {
      await market.sql`update chat_channels set seen_at = ${market.clock.now()}`;
      await judge();
      market.clock.advance({ minutes: 5 });
    }
    expect((await told()).map(({ subject }) => plain(subject))).toContain(
      'Alarm: Telegram: messages are not delivered',
    );
    expect((await told()).map(({ bodyText }) => plain(bodyText))).toContainEqual(
      expect.stringContaining('The market cannot reach this network.'),
    );
  });
});
