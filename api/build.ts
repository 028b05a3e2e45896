import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const root = new URL('..', import.meta.url).pathname;
const mark = join(root, 'site/dist/.built');

/** Builds the site when its sources changed since the last build; answers whether it did. Throws with the build's own words. */
export async function buildSite(): Promise<boolean> {
  const wanted = await fingerprint();
  const built = await readFile(mark, 'utf8').catch(() => '');
  if (built === wanted) return false;
  await run(['--bun', 'node_modules/astro/bin/astro.mjs', 'build', '--root', 'site']);
  await pack(join(root, 'site/dist/client'));
  await writeFile(mark, wanted);
  return true;
}

const packable = /\.(js|css|svg|json|webmanifest|txt)$/;

/** Lays the best compression of each file beside it: too slow for every start, and what a phone downloads most of. */
async function pack(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && packable.test(entry.name)).map((entry) => join(entry.parentPath, entry.name));
  await Promise.all(
    files.map(async (file) => {
      const packed = await promisify(brotliCompress)(await readFile(file), {
        params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
      });
      await writeFile(`${file}.br`, packed);
    }),
  );
}

/** Everything that ends up in the build: the site, the copy, and the rooms' schemas and rules that forms share. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of ['site', 'locales', 'api']) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !/[\\/](dist|\.astro|node_modules)[\\/]/.test(file.slice(root.length - 1)))
      .sort();
    for (const file of files) hash.update(file.slice(root.length)).update(await readFile(file));
  }
  for (const file of ['db/slots.ts', 'docs/runbook.md', 'bun.lock']) hash.update(await readFile(join(root, file)));
  return hash.digest('hex');
}

function run(args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`The site could not be built:\n${output.slice(-4000)}`))));
  });
}

// `bun run build`, ahead of a start that may not write here.
if (import.meta.main) await buildSite();
