import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { mountAs, pathOf } from '../../dev/programs.ts';
import { freePort, source } from '../support/processes.ts';

/**
 * A server for the runbook's root blocks: folders below one of /tmp, free ports, and small programs
 * as tools (`systemctl`, `runuser`, `apt-get` …). `systemctl` starts the units
 * with everything else read-only, like `ProtectSystem=strict`.
 */
export type Host = {
  place: string;
  /** Local port for each of the page's. */
  ports: Readonly<Record<string, number>>;
  type(text: string): Promise<{ code: number | null; seen: string }>;
  read(path: string): string;
  remove(): Promise<void>;
};

/** Runs a program with everything below the place read-only except the given paths. */
const confine = `#!/bin/bash
# confine <folder> <path>... -- <program> <argument>...
folder=$1; shift
mount --bind "$PLACE" "$PLACE"
while [ "$1" != -- ]; do
  case $1 in -*) path=\${1#-}; [ -e "$path" ] || path= ;; *) path=$1 ;; esac
  [ -n "$path" ] && { mount --bind "$path" "$path" || exit 226; }
  shift
done
shift
mount -o remount,bind,ro "$PLACE" || exit 226
cd -P "$folder" && exec "$@"
`;

const systemctl = `#!/bin/bash
units="$PLACE/etc/systemd/system"
stop_one() {
  file="$PLACE/run/$1.pid"
  [ -f "$file" ] || return 0
  kill "$(cat "$file")"
  while kill -0 "$(cat "$file")" 2>/dev/null; do command -p sleep 0.05; done
  rm "$file"
}
start_one() {
  instance=\${1#*@}
  case $1 in *@*) name=\${1%%@*}@ ;; *) name=$1 ;; esac
  unit=$(cat "$units/$name.service" "$units/$name.service.d/override.conf" 2>/dev/null | sed "s/%i/$instance/g")
  of() { sed -n "s/^$1=//p" <<<"$unit" | tr '\\n' ' '; }
  settings=$(of Environment)
  file=$(of EnvironmentFile); file=\${file#-}; file=\${file% }
  [ -f "$file" ] && settings="$settings $(cat "$file")"
  writable=$(of ReadWritePaths)
  for state in $(of StateDirectory); do
    mkdir -p "$PLACE/var/lib/$state"
    writable="$writable $PLACE/var/lib/$state"
  done
  port=$(sed -n 's/.*PORT=\\([0-9]*\\).*/\\1/p' <<<"$settings" | head -n 1)
  env $settings $UNSHARE confine $(of WorkingDirectory) $writable -- $(of ExecStart) >> "$PLACE/journal" 2>&1 < /dev/null &
  echo $! > "$PLACE/run/$1.pid"
  until command curl -fs -o /dev/null "http://127.0.0.1:$port/healthz"; do
    kill -0 "$(cat "$PLACE/run/$1.pid")" 2>/dev/null || { rm "$PLACE/run/$1.pid"; return 1; }
    command -p sleep 0.05
  done
}
what=$1; shift
[ "$1" = --now ] && shift
for unit in "$@"; do
  case $what:$unit in
    reload:nginx) kill -HUP "$(cat "$PLACE/run/nginx")" ;;
    reload:caddy) check-caddy ;;
    start:marche54* | enable:marche54*) start_one "$unit" & ;;
    restart:marche54*) stop_one "$unit"; start_one "$unit" & ;;
    stop:marche54* | disable:marche54*) stop_one "$unit" ;;
  esac || exit 1
done
for job in $(jobs -p); do wait "$job" || failed=1; done
[ -z "$failed" ]
`;

const without = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, '#!/bin/sh\n:']));
const tools: Record<string, string> = {
  ...without('apt-get', 'chown', 'usermod', 'psql', 'git'),
  confine,
  systemctl,
  // From the market's account, and from Postgres's.
  runuser: '#!/bin/sh\nshift 3; exec "$@"',
  install: `#!/bin/bash\nwords=(); while [ $# -gt 0 ]; do case $1 in -o | -g) shift ;; *) words+=("$1") ;; esac; shift; done; exec /usr/bin/install "\${words[@]}"`,
  // The pages are already built, and Caddy probes every second.
  bun: '#!/bin/sh\ncase "$1 $2" in install* | "run build"*) echo "$PWD: $*" ;; *) exec "$BUN" "$@" ;; esac',
  sleep: '#!/bin/sh\nexec /bin/sleep 0.5',
  createdb: `#!/bin/sh\nfor name in "$@"; do :; done; exec "$BUN" "$PLACE/sql.ts" "create database \\"$DATABASE_PREFIX$name\\" template template0 encoding 'UTF8' locale 'C.UTF-8'"`,
  dropdb: '#!/bin/sh\nexec "$BUN" "$PLACE/sql.ts" "drop database \\"$DATABASE_PREFIX$1\\""',
  certbot: `#!/bin/sh
while [ $# -gt 0 ]; do [ "$1" = --domain ] && live="$PLACE/etc/letsencrypt/live/$2"; shift; done
mkdir -p "$live"
openssl req -x509 -days 1 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=market.example -keyout "$live/privkey.pem" -out "$live/fullchain.pem" 2>/dev/null`,
  nginx: `#!/bin/sh\nexec ${pathOf('nginx')} -p "$PLACE" -c "$PLACE/etc/nginx/nginx.conf" "$@"`,
  'check-caddy': `#!/bin/sh\nHOME="$PLACE" exec ${pathOf('caddy')} adapt --adapter caddyfile --config "$PLACE/etc/caddy/Caddyfile" > "$PLACE/caddy.json"`,
};

const folders = [
  'opt/marche54/deploy',
  'var/lib',
  'var/backups/marche54',
  'etc/systemd/system',
  'etc/nginx/sites-enabled',
  'etc/caddy',
  'usr/local/bin',
  'root',
  'run',
  'bin',
  'temp',
];
const roots =
  /\/(?=(?:opt|srv|root|run|etc\/(?:systemd|marche54|nginx|caddy|letsencrypt)|var\/(?:lib|backups)\/marche54|usr\/local\/bin)\b)/g;

/** Debian's, with other folders and accounts. */
const nginxConf = (
  place: string,
) => `${process.geteuid?.() === 0 ? 'user root;\n' : ''}worker_processes auto;
pid ${place}/run/nginx;
error_log ${place}/temp/error.log;

events {
	worker_connections 768;
	# multi_accept on;
}

http {
	access_log off;
	${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${place}/temp/${name};`).join(' ')}
	include ${place}/etc/nginx/sites-enabled/*;
}
`;

/**
 * Sets up the server.
 * @param databaseUrl a database that may create others; those of the page get the prefix
 */
export async function openHost(databaseUrl: string, prefix: string): Promise<Host> {
  const place = mkdtempSync('/tmp/m54-host-');
  chmodSync(place, 0o755);
  for (const folder of folders) mkdirSync(join(place, folder), { recursive: true });
  const ports: Record<string, number> = {};
  for (const port of ['5454', '5455', '5460', '80', '443']) ports[port] = await freePort();
  const here = (text: string) =>
    text
      .replaceAll(roots, `${place}/`)
      .replaceAll('/tmp/drill', `${place}/drill`)
      .replaceAll(/54(?:54|55|60)\b/g, (port) => String(ports[port]))
      .replaceAll(/listen \[::\]:.+;/g, '')
      .replaceAll(/listen (80|443)\b/g, (_, port) => `listen 127.0.0.1:${ports[port]}`)
      .replaceAll('DRAIN_SECONDS=5', 'DRAIN_SECONDS=1');
  const code = join(place, 'opt/marche54');
  for (const name of readdirSync(source('.')))
    if (!name.startsWith('.') && name !== 'deploy') symlinkSync(source(name), join(code, name));
  const samples = readdirSync(source('deploy'), { withFileTypes: true });
  for (const { name } of samples.filter((entry) => entry.isFile())) {
    copyFileSync(source(`deploy/${name}`), join(code, 'deploy', name));
    writeFileSync(join(code, 'deploy', name), here(readFileSync(source(`deploy/${name}`), 'utf8')));
  }
  for (const [name, text] of Object.entries(tools))
    writeFileSync(join(place, 'bin', name), text, { mode: 0o755 });
  writeFileSync(join(place, 'etc/nginx/nginx.conf'), nginxConf(place));
  const sql = `import postgres from ${JSON.stringify(source('node_modules/postgres/src/index.js'))};
const sql = postgres(${JSON.stringify(databaseUrl)}); await sql.unsafe(process.argv[2]); await sql.end();`;
  writeFileSync(join(place, 'sql.ts'), sql);
  const path = [
    join(place, 'bin'),
    join(place, 'usr/local/bin'),
    dirname(process.execPath),
    '/usr/sbin',
    '/usr/bin',
    '/sbin',
    '/bin',
  ].join(':');
  const own = {
    PLACE: place,
    BUN: process.execPath,
    DATABASE_PREFIX: prefix,
    UNSHARE: `unshare ${mountAs.join(' ')}`,
  };
  const env = { PATH: path, HOME: place, ...own };
  async function type(text: string) {
    const file = join(place, 'block.sh');
    writeFileSync(file, `set -eu\n${here(text)}`);
    const child: ChildProcess = spawn('bash', [file], {
      cwd: place,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let seen = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (more: string) => (seen += more));
    const [code] = await once(child, 'close');
    return { code, seen: seen.replaceAll(place, '') };
  }
  return {
    place,
    ports,
    type,
    read: (name) => readFileSync(join(place, name), 'utf8'),
    async remove() {
      for (const name of readdirSync(join(place, 'run'))) {
        const pid = Number(readFileSync(join(place, 'run', name), 'utf8'));
        try {
          process.kill(pid, 'SIGTERM');
          while (process.kill(pid, 0)) await Bun.sleep(50);
        } catch {
          // It has ended.
        }
      }
      rmSync(place, { recursive: true, force: true });
    },
  };
}
