import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const root = new URL('../..', import.meta.url).pathname;
const mark = join(root, 'site/dist/.built');
/** In `site/dist`, apart from the files that anybody gets as they are. */
export const workerFile = 'worker.js';
const astro = 'node_modules/astro/bin/astro.mjs';

/**
 * Builds the site if its sources changed; answers whether it did. Throws with the build's output.
 */
export async function buildSite(): Promise<boolean> {
  const wanted = await fingerprint();
  const built = await readFile(mark, 'utf8').catch(() => '');
  if (built === wanted) return false;
  // Missing after `--production`: a release includes the built site.
  if (!existsSync(join(root, astro)))
    throw new Error(
      'The sources of the pages are not those that were built, and the packages that build them are not installed. Run "bun install --frozen-lockfile" and start again. In an unpacked release, change nothing, or unpack it once more.',
    );
  await run(['--bun', astro, 'build', '--root', 'site']);
  await settle(join(root, 'site/dist/server'));
  await buildWorker();
  await pack(join(root, 'site/dist/client'));
  await writeFile(mark, wanted);
  return true;
}

/** Builds the service worker beside the pages; offlineRoutes.ts serves it. */
async function buildWorker(): Promise<void> {
  const { success, logs } = await Bun.build({
    entrypoints: [join(root, 'site/src/offline/worker.ts')],
    outdir: join(root, 'site/dist'),
    naming: workerFile,
    target: 'browser',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  if (!success) throw new Error(`The service worker could not be built:\n${logs.join('\n')}`);
}

/**
 * Makes builds reproducible: Astro lists assets in file-system order and writes the build folder's
 * path.
 */
async function settle(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const text = await readFile(file, 'utf8');
    const sorted = sortedAssets(text);
    await writeFile(
      file,
      ['site/', 'node_modules/'].reduce(
        (text, folder) => text.replaceAll(`${root}${folder}`, `/opt/marche54/${folder}`),
        sorted,
      ),
    );
  }
}

const packable = /\.(js|css|svg|json|webmanifest|txt)$/;

/** Too slow to compress at every start. */
async function pack(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && packable.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  await Promise.all(
    files.map(async (file) => {
      const packed = await promisify(brotliCompress)(await readFile(file), {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 11,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        },
      });
      await writeFile(`${file}.br`, packed);
    }),
  );
}

/** Includes the API, as forms share its schemas and rules. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of ['site', 'locales', 'api', 'docs/runbook']) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !/[\\/](dist|\.astro|node_modules)[\\/]/.test(file.slice(root.length - 1)))
      .sort();
    for (const file of files) hash.update(file.slice(root.length)).update(await readFile(file));
  }
  for (const file of ['db/slots.ts', 'db/vocabularies.ts', 'bun.lock'])
    hash.update(await readFile(join(root, file)));
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
    child.on('close', (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`The site could not be built:\n${output.slice(-4000)}`)),
    );
  });
}

// `bun run build`, before a start that may not write here.
if (import.meta.main) await buildSite();

function sortedAssets(text: string): string {
  const start = text.indexOf('"assets":["');
  const end = text.indexOf(']', start);
  if (start < 0 || end < 0) return text;
  const from = start + '"assets":'.length;
  const list = JSON.parse(text.slice(from, end + 1)) as string[];
  return text.slice(0, from) + JSON.stringify(list.sort()) + text.slice(end + 1);
}
