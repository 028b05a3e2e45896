import { existsSync } from 'node:fs';

/** Names under which systems have Chromium; first those without windows, which work less. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

/** A Chromium of this machine: the one that CHROMIUM names, else one that is on the path. */
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
