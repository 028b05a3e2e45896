import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { identitiesFrom } from '../../api/backup/opened.ts';
import { verifyBackup } from '../../api/backup/read.ts';
import { newKeys, unseal } from '../../api/backup/sealing.ts';
import { writeBackup } from '../../api/backup/write.ts';
import { pathOf } from '../../dev/programs.ts';
import { testApp } from '../support/app.ts';

const age = String(pathOf('age'));
const keys = await newKeys();
const folder = mkdtempSync(join(tmpdir(), 'marche54-age-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);
const key = 'a key that is kept elsewhere';
const market = await testApp({
  now: new Date(),
  env: { BACKUP_DIR: folder, BACKUP_KEY: key, BACKUP_RECIPIENTS: keys.recipient },
});

test('the program age opens a backup, and what it encrypted is opened', async () => {
  await writeBackup(market.job('back-up'), at('market.tar.age'));
  writeFileSync(at('key.txt'), `# public key: ${keys.recipient}\n${keys.identity}\n`, {
    mode: 0o600,
  });
  execFileSync(age, ['-d', '-i', at('key.txt'), '-o', at('opened.tar'), at('market.tar.age')]);
  expect((await verifyBackup(at('opened.tar'), key)).format).toBe('marche54-backup');
  execFileSync(age, ['-r', keys.recipient, '-o', at('word.age')], { input: 'a word' });
  const sealed = new Blob([readFileSync(at('word.age'))]).stream();
  const word = unseal(sealed, await identitiesFrom(at('key.txt')));
  expect(Buffer.concat(await Array.fromAsync(word)).toString()).toBe('a word');
});
