import { createInterface } from 'node:readline';
import { command, type Shell } from './describe.ts';
import { harmless, type Look, present, presentError } from './print.ts';
import { createReader, type Item } from './reader.ts';
import { NotRun, type Session } from './session.ts';

const shownRows = 1000;

const output = (text: string): Promise<void> =>
  new Promise((resolve, reject) =>
    process.stdout.write(text, (error) => (error ? reject(error) : resolve())),
  );
const complain = (text: string) => process.stderr.write(text);

/** Answers false after printing an error. */
async function runItem(shell: Shell, item: Item, keep?: number): Promise<boolean> {
  try {
    if ('command' in item) await command(shell, item.command);
    else await shell.print(present(await shell.session.run(item.sql, keep), shell.look));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') throw error;
    complain(
      error instanceof NotRun
        ? `${error.message}\n`
        : presentError(error, 'sql' in item ? item.sql : ''),
    );
    return false;
  }
}

/** Runs statements until one fails; answers the exit code. */
export async function runScript(session: Session, texts: readonly string[]): Promise<number> {
  let over = false;
  let stopped = false;
  // `head` closes the pipe early; that must not crash the process.
  process.stdout.on('error', () => {});
  const leave = () => {
    over = true;
  };
  const shell: Shell = { session, look: { expanded: false, timing: false }, print: output, leave };
  const stop = () => {
    leave();
    stopped = true;
    session.cancel();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  for (const text of texts) {
    const reader = createReader();
    for (const item of [
      ...text.split(/\r?\n/).flatMap((line) => reader.add(line)),
      ...reader.end(),
    ]) {
      if (over) break;
      if (!(await runItem(shell, item))) return 1;
    }
  }
  if (stopped) return 1;
  if (!session.inTransaction) return 0;
  complain('The transaction has no commit at its end: nothing of it was kept.\n');
  return 1;
}

/** Typed statements stay in memory only. */
export function runInteractive(session: Session): Promise<number> {
  const room = () => process.stdout.columns || 80;
  const look: Look = { expanded: false, timing: true, room: room() };
  const reader = createReader();
  const terminal = createInterface({
    input: process.stdin,
    output: process.stdout,
    historySize: 500,
  });
  const shell: Shell = { session, look, print: output, leave: () => terminal.close() };
  let queue = Promise.resolve();
  // After Ctrl-C, lines pasted behind the statement do not run.
  let round = 0;
  let left = false;

  function ask(): void {
    if (left) return;
    const how = session.readOnly ? 'read only' : 'WRITE';
    terminal.setPrompt(
      reader.waiting
        ? '  … '
        : `${harmless(session.database)} (${how}${session.inTransaction ? ', in a transaction' : ''})> `,
    );
    terminal.prompt();
  }

  async function take(line: string, asked: number): Promise<void> {
    if (asked !== round || left) return;
    look.room = room();
    for (const item of reader.add(line))
      if (asked === round && !left) await runItem(shell, item, shownRows);
    if (asked === round) ask();
  }

  return new Promise((resolve, reject) => {
    terminal.on('line', (line) => {
      const asked = round;
      queue = queue.then(() => take(line, asked)).catch(reject);
    });
    terminal.on('SIGINT', () => {
      round++;
      reader.clear();
      if (session.busy) {
        session.cancel();
        queue = queue.then(ask);
        return;
      }
      for (const name of ['e', 'u']) terminal.write(null, { ctrl: true, name });
      complain('\n');
      ask();
    });
    terminal.on('close', () => {
      left = true;
      session.cancel();
      void queue.then(() => {
        if (session.inTransaction)
          complain('\nThe transaction was not committed: nothing of it was kept.');
        complain('\n');
        resolve(0);
      });
    });
    // A closed terminal must not leave a statement running.
    for (const signal of ['SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => terminal.close());
    ask();
  });
}
