import { spawnSync } from 'node:child_process';

/** Programs of the system that a proof may need, with the Debian package that has each. */
export const packages = {
  age: 'age',
  caddy: 'caddy',
  curl: 'curl',
  git: 'git',
  nginx: 'nginx-light',
  openssl: 'openssl',
  pgbouncer: 'pgbouncer',
  promtool: 'prometheus',
  rsync: 'rsync',
  setpriv: 'util-linux',
  'systemd-analyze': 'systemd',
  unshare: 'util-linux',
  QtWebEngineProcess: 'python3-pyqt5.qtwebengine',
  'xvfb-run': 'xvfb',
} as const;
export type Program = keyof typeof packages;

const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
const qt = `/usr/lib/${machine}-linux-gnu/qt5/libexec`;

/**
 * Path of a program, or undefined. Folders of administrators and Qt's are searched for every
 * account.
 */
export const pathOf = (name: Program): string | undefined =>
  Bun.which(name, { PATH: `${process.env.PATH ?? ''}:/usr/local/sbin:/usr/sbin:/sbin:${qt}` }) ??
  undefined;

/** Arguments of unshare for a namespace whose mounts nobody else sees. */
export const mountAs: readonly string[] =
  process.geteuid?.() === 0
    ? ['--mount']
    : ['--user', '--map-current-user', '--mount', '--keep-caps'];

/** This account may mount a disk, as root or in a user namespace; containers often forbid both. */
export const mayMount = (): boolean =>
  spawnSync('unshare', [...mountAs, 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']).status === 0;
