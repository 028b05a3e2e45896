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

/** Every file that people wrote, as its path from the root of the repository; what tools make (`.data`, `site/dist`, …) is not among them. */
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

/** The text of a file of {@link repositoryFiles}. */
export const textOf = (file: string): string => readFileSync(`${root}${file}`, 'utf8');
