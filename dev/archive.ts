import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pack } from 'tar-stream';

type Manifest = { version: string; scripts: Record<string, string> };

const folders = ['api', 'bot', 'db', 'deploy', 'docs', 'jobs', 'locales', 'patches', 'site'];
const single = new Set([
  '.dockerignore',
  '.env.example',
  'LICENSE',
  'bun.lock',
  'bunfig.toml',
  'compose.yaml',
  'dev/installed.ts',
  'package.json',
]);
/** Only `bun run db:generate` reads it, with a development package. */
const development = new Set(['db/drizzle.config.ts']);

/** The built site is added to these. */
export const released = (files: readonly string[]): string[] =>
  files.filter((file) => {
    if (development.has(file)) return false;
    return (
      single.has(file) || /^[^/]+\.md$/.test(file) || folders.includes(file.split('/', 1)[0] ?? '')
    );
  });

/** Paths from the repository's root. */
export const builtFiles = (root: string): string[] =>
  readdirSync(join(root, 'site/dist'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, '/').length));

/** Keeps only scripts whose programs are in the release. */
export function releasedManifest(text: string, files: readonly string[]): string {
  const manifest = JSON.parse(text) as Manifest;
  const programs = (script: string) => script.match(/[\w/]+\.ts\b/g) ?? [];
  const kept = Object.entries(manifest.scripts)
    .filter(
      ([, script]) =>
        programs(script).every((file) => files.includes(file)) &&
        !/ (biome|bunx|vitest)\b/.test(script),
    )
    .map(([name, script]) => [
      name,
      script.replace('bun install --frozen-lockfile', 'bun install --frozen-lockfile --production'),
    ]);
  return `${JSON.stringify({ ...manifest, scripts: Object.fromEntries(kept) }, null, 2)}\n`;
}

/** A compressed tar, reproducible: sorted, without owners or times of files. */
export async function archive(
  root: string,
  tracked: readonly string[],
  date: string,
): Promise<{ name: string; bytes: Buffer; sha256: string }> {
  const files = [...new Set([...released(tracked), ...builtFiles(root)])].sort();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const name = `marche54-${version}`;
  const tar = pack();
  const whole = buffer(tar);
  for (const file of files) {
    const content = readFileSync(join(root, file));
    const body =
      file === 'package.json' ? Buffer.from(releasedManifest(content.toString(), files)) : content;
    const mode = statSync(join(root, file)).mode & 0o100 ? 0o755 : 0o644;
    tar.entry(
      {
        name: `${name}/${file}`,
        mode,
        mtime: new Date(date),
        uid: 0,
        gid: 0,
        uname: 'root',
        gname: 'root',
      },
      body,
    );
  }
  tar.finalize();
  const bytes = await promisify(gzip)(await whole, { level: 9 });
  return {
    name: `${name}.tar.gz`,
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}
