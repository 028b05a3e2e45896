import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { source } from './processes.ts';
import { textOf } from './repository.ts';

/** A block of the runbook: who runs it, its commands, and the expected output. */
export type Block = { kind: string; text: string; sees: string };

/** The pages of the runbook, in the order in which a server is set up. */
export const runbook: string = ['install', 'backups', 'upgrade', 'trouble', 'machines']
  .map((page) => textOf(`docs/runbook/${page}.md`))
  .join('\n');

export const blocks: readonly Block[] = [
  ...runbook.matchAll(/^```sh (\w+)\n([\s\S]*?)^```(?:\n```text\n([\s\S]*?)^```)?/gm),
].map(([, kind = '', text = '', sees = '']) => ({ kind, text, sees }));

/**
 * Replaces the server's own tools: the market's account is the current one, and systemd some lines
 * of shell.
 */
const tools = `
market() { (cd "$PLACE/opt/marche54" && "$@"); }
chown() { :; }
# An ordinary user: there are folders that it must not read.
du() {
  if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups du "$@"; else command du "$@"; fi
}
systemctl() {
  if [ -f "$PLACE/pid" ]; then
    kill "$(cat "$PLACE/pid")"
    while kill -0 "$(cat "$PLACE/pid")" 2>/dev/null; do sleep 0.1; done
    rm "$PLACE/pid"
  fi
  [ "$1" = stop ] && return
  (cd "$PLACE/opt/marche54" && exec bun api/server.ts >>"$PLACE/journal" 2>&1) &
  echo $! > "$PLACE/pid"
  until command curl -fs -o /dev/null "http://127.0.0.1:$PORT/healthz"; do
    kill -0 "$(cat "$PLACE/pid")" || return 1
    sleep 0.1
  done
}
`;

/** A server for the runbook: its folders, with the code, below one of /tmp. */
export function openTestbed(port: number) {
  // Not in TMPDIR, and with a short name: Postgres puts a socket in it.
  const place = mkdtempSync('/tmp/m54-book-');
  chmodSync(place, 0o755);
  const folders = [
    'opt/marche54',
    'var/lib/marche54',
    'var/backups/marche54',
    'var/log/closed',
    'bin',
  ].map((name) => join(place, name));
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  // Like systemd's in /var/log.
  const closed = join(place, 'var/log/closed');
  chmodSync(closed, 0);
  // Like a clone, with its own settings.
  const code = source('.');
  for (const name of readdirSync(code))
    if (!name.startsWith('.')) symlinkSync(join(code, name), join(place, 'opt/marche54', name));
  symlinkSync(process.execPath, join(place, 'bin/bun'));
  const env = {
    PATH: `${join(place, 'bin')}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: place,
    PLACE: place,
    PORT: String(port),
  };
  const here = (text: string) =>
    text
      .replaceAll(/\/(?=(?:opt|var\/lib|var\/backups)\/marche54|var\/log)/g, `${place}/`)
      .replaceAll('/tmp/drill', `${place}/drill`)
      .replaceAll(':5454', `:${port}`);

  return {
    /** Runs a block; returns its exit code, and its output with the server's own paths and port. */
    async type(text: string, answer = ''): Promise<{ code: number | null; seen: string }> {
      const file = join(place, 'block.sh');
      writeFileSync(file, `set -eu\n${tools}\n${here(text)}`);
      const child: ChildProcess = spawn('bash', [file], {
        cwd: place,
        env,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      // A block without input may end before the answer is written.
      child.stdin?.on('error', () => {});
      child.stdin?.end(answer);
      let seen = '';
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding('utf8').on('data', (more: string) => (seen += more));
      // Does not wait for the output to close: the started market holds it open too.
      const [code] = await once(child, 'exit');
      return { code, seen: seen.replaceAll(place, '').replaceAll(`:${port}`, ':5454') };
    },
    remove() {
      chmodSync(closed, 0o700);
      rmSync(place, { recursive: true, force: true });
    },
  };
}

/** Expected lines that are missing from the output; `…` matches anything. */
export function unseen(seen: string, sees: string): string[] {
  const pattern = (line: string) => new RegExp(line.split('…').map(RegExp.escape).join('.+'));
  return sees.split('\n').filter((line) => line && !pattern(line).test(seen));
}
