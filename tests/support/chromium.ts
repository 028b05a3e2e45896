import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright';
import { chromiumHere } from '../../bot/whatsapp/web/chromium.ts';
import { packagedChromium } from './packagedChromium.ts';

const withoutWindows = ['chromium-headless-shell'];

/** What Playwright switches off by itself; Chromium listens to the last such list alone, so it is said again. */
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
/** Pages of the browser's own address bar: two with every window, also of a browser that nobody sees, and half of a core in a run of tests. */
const addressBar = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AimEnabled',
];

/** How a browser is started that asks nobody but the market, and draws nothing but its pages. */
export const quietly = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A test reaches nothing but the market: no other name leads anywhere.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1',
  `--disable-features=${[...offByPlaywright, ...addressBar].join(',')}`,
];

/** A Chromium that runs here: the one that CHROMIUM names, else one without windows, which works less, found or installed now, else any. */
export async function findBrowser(): Promise<string> {
  const found =
    chromiumHere(process.env, withoutWindows) ??
    (install('chromium-headless-shell') ? chromiumHere(process.env, withoutWindows) : undefined) ??
    chromiumHere() ??
    own() ??
    packagedChromium() ??
    download();
  if (found) return found;
  throw new Error(
    'No Chromium was found and none could be installed. Install it (Debian: apt-get install chromium-headless-shell) or name one with CHROMIUM=/path/to/chromium.',
  );
}

/** Playwright's own. */
function own(): string | undefined {
  return [chromium.executablePath()].find((path) => existsSync(path));
}

const run = (command: string, args: string[]): boolean =>
  spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status === 0;

/** Installs a package of Debian's, where that is possible. */
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
