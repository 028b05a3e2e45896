import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { pathOf } from '../../dev/programs.ts';
import { source } from '../support/processes.ts';

test.each([
  ['its rules', ['check', 'rules', 'marche54.yml']],
  ['their tests', ['test', 'rules', 'marche54_test.yml']],
  ['the sample configuration', ['check', 'config', '--syntax-only', 'prometheus.yml']],
])('promtool accepts %s', (_, args) => {
  const cwd = source('deploy/prometheus');
  const { status, stdout, stderr } = spawnSync(String(pathOf('promtool')), args, {
    cwd,
    encoding: 'utf8',
    timeout: 30_000,
  });
  expect(status, `${stdout}${stderr}`).toBe(0);
});
