import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { clientOf, connect, forJobs } from '../../db/client.ts';
import { repositoryFiles, textOf } from '../support/repository.ts';
import { blocks, runbook } from '../support/runbook.ts';

/** Operators' files name only settings, commands, files and folders that exist. */
const known = new Set(
  [...textOf('.env.example').matchAll(/^([A-Z][A-Z\d_]+)=/gm)].map(([, name]) => name),
);
const unknown = (names: readonly string[], ...others: string[]) =>
  names.filter((name) => !known.has(name) && !others.includes(name));
const namesIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, name = '']) => name);
/** The account or procedure that a block of the page belongs to. */
const kinds = [
  'run',
  'long',
  'damaged',
  'root',
  'elsewhere',
  'containers',
  'postgres',
  'two',
  'caddy',
  'nginx',
  'restart',
  'roles',
  'upgrade',
  'back',
  'emptied',
  'domain',
];

test('.env.example has every setting that the market reads, and no other', () => {
  const read = namesIn(textOf('api/ops/env.ts'), /^ {4}([A-Z][A-Z\d_]+): /gm);
  expect([...known].sort()).toEqual([...read].sort());
});

describe('docs/runbook.md', () => {
  const commands = blocks.map(({ text }) => text).join('\n');
  const page = runbook;

  test('has commands that a shell can read, and each says who types it', () => {
    expect(page.match(/^```sh/gm)).toHaveLength(blocks.length);
    expect(blocks.filter(({ kind }) => !kinds.includes(kind))).toEqual([]);
    for (const { text } of blocks)
      expect(spawnSync('bash', ['-n'], { input: text }).stderr.toString(), text).toBe('');
  });

  test('names commands, options, settings and files that are there', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    expect(namesIn(page, /bun run ([\w:-]+)/g).filter((name) => !(name in scripts))).toEqual([]);
    const code = ['api/commands/createAdmin.ts', 'api/commands/restore.ts'].map(textOf).join('\n');
    expect(
      namesIn(commands, /bun run (?:admin:create|restore)[^\n]* --([a-z-]+)/g).filter(
        (option) => !code.includes(option.replaceAll("'", '')),
      ),
    ).toEqual([]);
    expect(
      namesIn(commands, /\/opt\/marche54\/((?:deploy|docs)\/[\w.@-]+)/g).filter(
        (file) => !repositoryFiles.includes(file),
      ),
    ).toEqual([]);
    expect(
      unknown(
        namesIn(commands, /^([A-Z][A-Z\d_]+)=/gm),
        'REPOSITORY',
        'DOMAIN',
        'POSTGRES_PASSWORD',
        'PHOTOS_PASSWORD',
      ),
    ).toEqual([]);
    expect(unknown(namesIn(page, /`([A-Z][A-Z\d]+_[A-Z\d_]+)(?:=[^`]*)?`/g))).toEqual([]);
  });

  test('leads to pages of the market that are there', () => {
    const named = namesIn(page, /`\/((?:admin|sign|forgot)[a-z/-]*)`/g);
    expect(named.length).toBeGreaterThan(2);
    const isPage = (name: string) =>
      [`${name}.astro`, `${name}/index.astro`].some((file) =>
        repositoryFiles.includes(`site/src/pages/${file}`),
      );
    expect(named.filter((name) => !isPage(name))).toEqual([]);
  });

  test('says of each secret whether it may be changed', () => {
    const rows = page
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .join('\n');
    const secrets = [...known].filter((name) =>
      /SECRET|TOKEN|_KEY|SMTP_URL|DATABASE_URL/.test(String(name)),
    );
    expect(secrets.length).toBeGreaterThan(8);
    expect(secrets.filter((name) => !rows.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('units of systemd', () => {
  const units = ['deploy/marche54.service', 'deploy/marche54@.service'].map(textOf);
  const settingOf = (unit: string, name: string) =>
    new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
  const hardening = (unit: string) => unit.slice(unit.indexOf('UMask='), unit.indexOf('[Install]'));

  test('differ in what they are for, and not in what they may do', () => {
    const [one = '', several = ''] = units;
    expect(hardening(one)).toContain('ProtectSystem=strict');
    expect(hardening(several)).toBe(hardening(one));
    for (const unit of units) {
      expect(unknown(namesIn(unit, /(?:^Environment=| )([A-Z][A-Z\d_]+)=/gm), 'CPU')).toEqual([]);
      const drain = Number(/DRAIN_SECONDS=(\d+)/.exec(unit)?.[1] ?? 0);
      expect(Number(settingOf(unit, 'TimeoutStopSec'))).toBeGreaterThan(drain + 30);
    }
  });
});

test('docs/scaling.md counts the connections of a process as the code opens them', async () => {
  const of = (limits: object) => {
    const { db, sql } = connect('postgres://nowhere.invalid/market', limits);
    return clientOf(db).options.max + sql.options.max;
  };
  const most = of({}) + of(forJobs) + 2;
  const page = textOf('docs/scaling.md');
  expect(page).toContain(`\`${most} × processes + 20\``);
  for (const processes of [1, 2, 3, 4])
    expect(page).toContain(`| ${processes} | ${most * processes + 20} |`);
  expect(runbook).toContain('max_connections = 200');
});

describe('compose.yaml', () => {
  type Service = {
    image: string;
    build?: { dockerfile: string };
    environment?: Record<string, string>;
    volumes?: string[];
    depends_on?: object;
    healthcheck?: object;
  };
  const text = textOf('compose.yaml');
  const { services, volumes } = Bun.YAML.parse(text) as {
    services: Record<string, Service>;
    volumes: object;
  };

  test('gives the market settings that it knows, and asks for those that nobody can choose for it', () => {
    expect(unknown(Object.keys(services.market?.environment ?? {}))).toEqual([]);
    const asked = new Set(namesIn(text, /\$\{([A-Z_]+)/g));
    expect([...asked].sort()).toEqual(['DOMAIN', 'PHOTOS_PASSWORD', 'POSTGRES_PASSWORD']);
    for (const name of asked) expect(runbook).toMatch(new RegExp(`^${name}=`, 'm'));
    expect(unknown(namesIn(textOf('deploy/Dockerfile'), / ([A-Z_]+)=/g))).toEqual([]);
  });

  test('names images by their versions, and volumes, services and files that are there', () => {
    for (const [name, service] of Object.entries(services)) {
      if (!service.build) expect(service.image, name).toMatch(/^[a-z/]+:\d+\.\d+/);
      expect(
        Object.keys(service.depends_on ?? {}).filter(
          (other) => Number.isNaN(Number(other)) && !(other in services),
        ),
      ).toEqual([]);
      const sources = (service.volumes ?? []).map((volume) => String(volume.split(':')[0]));
      expect(
        sources.filter(
          (source) => !(source in volumes) && !repositoryFiles.includes(source.replace('./', '')),
        ),
      ).toEqual([]);
      // The market's own is in its image; the bucket's maker ends.
      if (!service.build && name !== 'bucket') expect(service.healthcheck, name).toBeDefined();
    }
    expect(repositoryFiles).toContain(services.market?.build?.dockerfile);
  });

  test('builds an image with the Bun that the project asks for, which runs without root', () => {
    const file = textOf('deploy/Dockerfile');
    const { engines } = JSON.parse(textOf('package.json')) as { engines: { bun: string } };
    const named = [file, runbook].flatMap((text) =>
      [...text.matchAll(/npm install --global bun@([\d.]+)/g)].map(([, version]) => `>=${version}`),
    );
    expect(named).toEqual([engines.bun, engines.bun]);
    expect(file).toMatch(/^USER market$/m);
    expect(file).toMatch(/^HEALTHCHECK /m);
  });
});
