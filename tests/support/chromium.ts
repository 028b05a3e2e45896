import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright';
import { chromiumHere } from '../../bot/transports/whatsapp/web/chromium.ts';
import { packagedChromium } from './packagedChromium.ts';

const withoutWindows = ['chromium-headless-shell'];

/**
 * Features that Playwright disables; Chromium reads only the last such flag, so they are repeated.
 */
const offByPlaywright = [
  ...[
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsUpgrades',
    'HttpsFirstBalancedModeAutoEnable',
    'LensOverlay',
  ],
  ...[
    'MediaRouter',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
    'OptimizationHints',
    'NetworkTimeServiceQuerying',
    'PreconnectToSearch',
  ],
];
/**
 * Pages of the browser's address bar: two per window, even headless, and half a core in a test run.
 */
const addressBar = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AimEnabled',
];

/** Flags for a browser that contacts only the market and draws only its pages. */
export const quietly = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1',
  `--disable-features=${[...offByPlaywright, ...addressBar].join(',')}`,
];

/**
 * Finds a Chromium that runs here: CHROMIUM's, else the one of the package registry, the same on
 * each machine, else the system's, installed if need be, else Playwright's.
 */
export async function findBrowser(): Promise<string> {
  const given = process.env.CHROMIUM;
  const found =
    (given && existsSync(given) ? given : undefined) ??
    packagedChromium() ??
    chromiumHere(process.env, withoutWindows) ??
    chromiumHere() ??
    own() ??
    (install('chromium-headless-shell') ? chromiumHere(process.env, withoutWindows) : undefined) ??
    download();
  if (found) return found;
  throw new Error(
    'No Chromium was found and none could be installed. Install it (Debian: apt-get install chromium-headless-shell) or name one with CHROMIUM=/path/to/chromium.',
  );
}

function own(): string | undefined {
  return [chromium.executablePath()].find((path) => existsSync(path));
}

const run = (command: string, args: string[]): boolean =>
  spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status === 0;

function install(name: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  return (
    run('apt-get', ['update', '-qq']) &&
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name])
  );
}

function download(): string | undefined {
  run(process.execPath, ['node_modules/playwright/cli.js', 'install', 'chromium']);
  return own();
}
