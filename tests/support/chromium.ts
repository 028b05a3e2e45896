import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** What Playwright switches off by itself; Chromium listens to the last such list alone, so it is said again. */
const offByPlaywright = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'LensOverlay'],
  ...['MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'PreconnectToSearch'],
];
/** Pages of the browser's own address bar: two with every window, also of a browser that nobody sees, and half of a core in a run of tests. */
const addressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'AimEnabled'];

/** How a browser is started that asks nobody but the market, and draws nothing but its pages. */
export const quietly = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...offByPlaywright, ...addressBar].join(',')}`,
];

/** A Chromium that runs here: the one that CHROMIUM names, one of the system's, Playwright's own, or one that is installed now. */
export async function findBrowser(): Promise<string> {
  const found = locate();
  if (found) return found;
  install();
  const installed = locate();
  if (installed) return installed;
  throw new Error(
    'No Chromium was found and none could be installed. Install it (Debian: apt-get install chromium) or name one with CHROMIUM=/path/to/chromium.',
  );
}

function locate(): string | undefined {
  const named = process.env.CHROMIUM;
  if (named && existsSync(named)) return named;
  for (const folder of (process.env.PATH ?? '').split(':')) for (const name of names) if (folder && existsSync(`${folder}/${name}`)) return `${folder}/${name}`;
  const own = chromium.executablePath();
  return existsSync(own) ? own : undefined;
}

function install(): void {
  const run = (command: string, args: string[]) =>
    spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0;
  const asRoot = process.getuid?.() === 0;
  if (
    asRoot &&
    existsSync('/usr/bin/apt-get') &&
    run('apt-get', ['update', '-qq']) &&
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'])
  )
    return;
  run(process.execPath, ['node_modules/playwright/cli.js', 'install', 'chromium']);
}
