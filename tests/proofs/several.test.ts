import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { urlOf } from '../../dev/testbed/server.ts';
import { freshDatabase } from '../support/database.ts';
import { until } from '../support/processes.ts';
import { pause } from '../support/rawUpload.ts';
import { blocks, unseen } from '../support/runbook.ts';
import { type Host, openHost } from './server.ts';

/**
 * Runs the blocks of docs/runbook.md for two processes, their proxies, upgrade, rollback and
 * another domain. The processes have no pages (`ROLES=jobs`), so start faster; nginx is asked for
 * `/healthz`, which both answer.
 */
const database = await freshDatabase({ empty: true });
const url = urlOf(database.target);
const prefix = `${url.slice(url.lastIndexOf('/') + 1)}_`;
let host: Host;
beforeAll(async () => {
  host = await openHost(url, prefix);
  const settings = `DEMO=0\nHOST=127.0.0.1\nTRUST_PROXY=1\nPUBLIC_URL=https://market.example\nDATA_DIR=/var/lib/marche54
BACKUP_DIR=/var/backups/marche54\nROLES=jobs\nSMTP_URL=smtp://127.0.0.1:9\nDATABASE_URL=${url}\n`;
  const { code, seen } = await host.type(`cat > /opt/marche54/.env <<END\n${settings}END
cp /opt/marche54/deploy/*.service /etc/systemd/system/
cp /opt/marche54/deploy/market /opt/marche54/deploy/market-restart /usr/local/bin/
systemctl enable --now marche54`);
  expect([code, seen]).toEqual([0, '']);
  // The process answers /healthz, which ends the start, before it says that it is ready.
  await until(() => host.read('journal').includes('ready https://market.example'));
}, 300_000);
afterAll(async () => {
  await host?.remove();
  await database.sql.unsafe(`drop database if exists "${prefix}market_before" with (force)`);
});

/** The page's block of this kind that contains these words. */
const block = (kind: string, words = '') => {
  const found = blocks.filter((each) => each.kind === kind && each.text.includes(words));
  expect(found, `${kind} ${words}`).toHaveLength(1);
  return found[0] as (typeof blocks)[number];
};
async function type(kind: string, words = ''): Promise<string> {
  const { text, sees } = block(kind, words);
  // The page's databases have other names in the tests' Postgres.
  const { code, seen } = await host.type(
    text
      .replace('}/drill"', `}/${prefix}drill"`)
      .replace('/market_before|', `/${prefix}market_before|`),
  );
  expect(
    [code, unseen(seen, sees)],
    `${text}\n${seen}\n${host.read('journal').slice(-1500)}`,
  ).toEqual([0, []]);
  return seen;
}
const home = (port: string) => `http://127.0.0.1:${host.ports[port]}`;
const ready = async (port: string) => (await fetch(`${home(port)}/readyz`)).status;
const throughNginx = (name = 'your.own.address', port = '443') =>
  fetch(`https://127.0.0.1:${host.ports[port]}/healthz`, {
    redirect: 'manual',
    headers: { host: name },
    tls: { rejectUnauthorized: false },
  } as RequestInit);

/** Sends requests through nginx during the work; returns what failed. */
async function whileAsking(
  work: () => Promise<unknown>,
): Promise<{ failed: unknown[]; answered: number }> {
  const failed: unknown[] = [];
  let over = false;
  let answered = 0;
  const asking = (async () => {
    while (!over) {
      const status = await throughNginx().then(
        async (response) => (await response.arrayBuffer()) && response.status,
        String,
      );
      answered++;
      if (status !== 200) failed.push(status);
      await pause(20);
    }
  })();
  await work().finally(() => (over = true));
  await asking;
  return { failed, answered };
}

describe('folders elsewhere, as docs/runbook.md has them', () => {
  test('the unit may write where its line says', { timeout: 180_000 }, async () => {
    const restart = 'systemctl restart marche54';
    await type('root', 'cp -a /var/lib/marche54/. ');
    // systemd refuses folders that the unit does not name.
    expect((await host.type(restart)).code).not.toBe(0);
    expect(host.read('journal')).toContain('EROFS');
    await type('root', 'override.conf');
    expect(existsSync(join(host.place, 'srv/market/data/server.pid'))).toBe(true);
    const back = `s|/srv/market/data|/var/lib/marche54|; s|/srv/market/backups|/var/backups/marche54|`;
    expect((await host.type(`sed -i '${back}' /opt/marche54/.env\n${restart}`)).code).toBe(0);
  });

  test('copies are fetched and pruned by age, and the newest fourteen stay', async () => {
    const copies = '/srv/backups/marche54';
    const make = `mkdir -p ${copies}; touch /var/backups/marche54/marche54-new.tar /var/backups/marche54/marche54-new.tar.part
for day in $(seq 10 39); do touch -d "$((100 - day)) days ago" ${copies}/marche54-$day.tar; done`;
    expect((await host.type(make)).code).toBe(0);
    const { text } = block('elsewhere', 'rsync -a');
    const here = text.replace('marche54@market.example:/', '/var/backups/marche54/');
    const { code, seen } = await host.type(here);
    expect((await host.type('rm /var/backups/marche54/marche54-new.tar*')).code).toBe(0);
    expect([code, seen]).toEqual([0, '']);
    // Of thirty, 17 are not among the newest fourteen with the fetched one; all are older than
    // sixty days.
    const left = readdirSync(join(host.place, copies)).sort();
    expect(left).toEqual([
      ...Array.from({ length: 13 }, (_, n) => `marche54-${27 + n}.tar`),
      'marche54-new.tar',
    ]);
  });
});

describe('two processes, as docs/runbook.md has them', () => {
  test('a drill restores into an empty database of its own', { timeout: 180_000 }, async () => {
    expect((await host.type('market bun run backup')).code).toBe(0);
    await type('postgres', 'drill');
    expect(existsSync(join(host.place, 'drill'))).toBe(false);
    expect(
      await database.sql`select 1 from pg_database where datname = ${`${prefix}drill`}`,
    ).toHaveLength(0);
  });

  test('both start, and a third without photos of its own once it has the folder, whatever was tried before', {
    timeout: 180_000,
  }, async () => {
    await type('two');
    expect([await ready('5454'), await ready('5455')]).toEqual([200, 200]);
    // The link was forgotten.
    const { text } = block('roles');
    const forgetful = await host.type(text.replace(/^runuser.*\n/m, ''));
    expect(forgetful.code).not.toBe(0);
    expect(host.read('journal')).toContain('keeps its photos elsewhere');
    expect(existsSync(join(host.place, `var/lib/marche54-${host.ports['5460']}/uploads`))).toBe(
      false,
    );
    await type('roles');
  });

  test('nginx has room for every page, and both processes before one is marked as down', {
    timeout: 240_000,
  }, async () => {
    await host.type('touch /etc/nginx/sites-enabled/default');
    await type('root', 'apt-get install -y nginx');
    await type('root', 'worker_rlimit_nofile');
    const [site] = [await type('root', 'deploy/nginx.conf')];
    expect(site).toBe('');
    expect((await host.type('nginx > /dev/null 2>&1')).code).toBe(0);
    // The sample as printed has one process, which must not be taken away.
    const refused = await host.type('market-restart 5454');
    expect([refused.code, refused.seen]).toEqual([
      1,
      expect.stringContaining('uncomment the second server'),
    ]);
    expect(host.read('etc/nginx/sites-enabled/marche54')).not.toContain('down;');
    await type('nginx');
    const { failed, answered } = await whileAsking(() => type('restart'));
    expect(failed).toEqual([]);
    expect(answered).toBeGreaterThan(50);
    expect(host.read('etc/nginx/sites-enabled/marche54')).toMatch(
      /^\tserver 127\.0\.0\.1:\d+ max_fails=0;\n.*\n\tserver 127\.0\.0\.1:\d+ max_fails=0;$/m,
    );
  });

  test('a process that is not ready ends the round, and the other goes on', {
    timeout: 180_000,
  }, async () => {
    const broken =
      'mkdir -p /etc/marche54; echo ROLES=nothing > /etc/marche54/5454.env; market-restart 5454 5455';
    const { failed } = await whileAsking(async () =>
      expect((await host.type(broken)).code).not.toBe(0),
    );
    expect(failed).toEqual([]);
    expect(await ready('5455')).toBe(200);
    expect((await host.type('rm /etc/marche54/5454.env; market-restart 5454')).code).toBe(0);
  });

  test('Caddy is told of both, and of another name', async () => {
    await type('root', 'deploy/Caddyfile');
    await type('caddy');
    await type('domain', '/etc/caddy/Caddyfile');
    const file = host.read('etc/caddy/Caddyfile');
    expect(
      file.match(
        new RegExp(
          `127\\.0\\.0\\.1:${host.ports['5454']} 127\\.0\\.0\\.1:${host.ports['5455']}\\}`,
          'g',
        ),
      ),
    ).toHaveLength(2);
    expect(file).toContain('MARKET_HOW:several');
    expect(host.read('caddy.json')).toContain('"host":["new.example"]');
  });

  test('upgrade and back, without a request that fails', { timeout: 240_000 }, async () => {
    const upgrade = blocks.filter(({ kind }) => kind === 'upgrade');
    expect(upgrade).toHaveLength(2);
    const { failed } = await whileAsking(async () => {
      for (const { text } of upgrade) await type('upgrade', text);
      const running = await host.type('readlink -f /opt/marche54');
      expect(running.seen).toMatch(/^\/opt\/marche54-\d{8}-\d{6}\n$/);
      await type('back');
      expect((await host.type('readlink -f /opt/marche54')).seen).toBe('/opt/marche54-1\n');
    });
    expect(failed).toEqual([]);
  });

  test('back over migrations brings the backup into an empty database', {
    timeout: 240_000,
  }, async () => {
    // As after an upgrade.
    await host.type('ln -sfn "$(cat /root/marche54-new)" /opt/marche54');
    await type('emptied');
    expect(host.read('opt/marche54/.env')).toContain(`/${prefix}market_before\n`);
    expect([await ready('5454'), await ready('5455')]).toEqual([200, 200]);
  });

  test('another domain: the old one leads to the new', { timeout: 180_000 }, async () => {
    const { text } = block('domain', 'PUBLIC_URL');
    expect(
      (await host.type(text.replace('restart marche54', 'restart marche54@5454 marche54@5455')))
        .code,
    ).toBe(0);
    await type('domain', 'certbot');
    await pause(300);
    const [former, now] = [await throughNginx(), await throughNginx('new.example')];
    expect([former.status, former.headers.get('location'), now.status]).toEqual([
      308,
      'https://new.example/healthz',
      200,
    ]);
  });
});
