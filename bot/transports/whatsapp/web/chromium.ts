import { existsSync } from 'node:fs';

/** Names of Chromium; the lighter headless shell first. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

/** Path of the browser: CHROMIUM, else the first one on PATH. */
export function chromiumHere(
  { CHROMIUM: named, PATH: path = '' }: Record<string, string | undefined> = process.env,
  wanted: readonly string[] = names,
): string | undefined {
  if (named && existsSync(named)) return named;
  return path
    .split(':')
    .filter(Boolean)
    .flatMap((folder) => wanted.map((name) => `${folder}/${name}`))
    .find((file) => existsSync(file));
}

export const noChromium =
  'WHATSAPP_WEB=1 needs Chromium, and none was found. Install it (Debian: apt-get install chromium) or name one with CHROMIUM=/path/to/chromium.';
