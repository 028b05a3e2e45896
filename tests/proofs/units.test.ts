import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { pathOf } from '../../dev/programs.ts';
import { textOf } from '../support/repository.ts';

const folder = mkdtempSync(join(tmpdir(), 'marche54-units-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['marche54.service', 'marche54.service'],
  ['marche54@.service', 'marche54@5454.service'],
])('systemd understands %s, and it leaves little open', (sample, name) => {
  const file = join(folder, name);
  const analyze = (...args: string[]) => {
    const { status, stderr } = spawnSync(String(pathOf('systemd-analyze')), [...args, file]);
    return [status, stderr.toString()];
  };
  const unit = textOf(`deploy/${sample}`);
  // Not every machine has the account and the programs.
  writeFileSync(
    file,
    unit
      .replace(/^User=.*$/m, 'User=root')
      .replace('ExecStart=bun', 'ExecStart=sh')
      .replaceAll('/usr/bin/curl', '/bin/sh'),
  );
  expect(analyze('verify', '--man=no')).toEqual([0, '']);
  writeFileSync(file, unit);
  expect(analyze('security', '--offline=true', '--no-pager', '--threshold=20')).toEqual([0, '']);
});
