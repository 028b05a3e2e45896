import { readdirSync, readFileSync } from 'node:fs';
import { Glob } from 'bun';

const root = new URL('../..', import.meta.url).pathname;
const folders = [
  '.ci',
  'api',
  'bot',
  'db',
  'deploy',
  'dev',
  'docs',
  'jobs',
  'locales',
  'patches',
  'site/adapter',
  'site/public',
  'site/src',
  'tests',
];

/**
 * Paths of all files written by people, from the repository's root; generated ones (`.data`,
 * `site/dist`, …) are left out.
 */
export const repositoryFiles: readonly string[] = [
  ...folders.flatMap((folder) =>
    [...new Glob('**/*').scanSync({ cwd: `${root}${folder}`, dot: true })].map(
      (file) => `${folder}/${file}`,
    ),
  ),
  ...[...new Glob('*').scanSync({ cwd: `${root}site` })].map((file) => `site/${file}`),
  ...readdirSync(root, { withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [entry.name] : [],
  ),
].sort();

export const textOf = (file: string): string => readFileSync(`${root}${file}`, 'utf8');
