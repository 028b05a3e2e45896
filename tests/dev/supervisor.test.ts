import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Supervisor, supervise } from '../../dev/supervisor.ts';

/** A process that prints the port from a file, stays silent at 0, and exits when it is empty. */
const script = `
  import { readFileSync } from 'node:fs';
  const port = Number(readFileSync(process.env.PORT_FILE, 'utf8') || process.exit(3));
  if (port) process.send({ port });
  setInterval(() => {}, 1000);
`;

let folder: string;
let api: Supervisor;
const says = (port: string) => writeFileSync(join(folder, 'port'), port);
const start = () => supervise(join(folder, 'script.ts'), { PORT_FILE: join(folder, 'port') });

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
  folder = mkdtempSync(join(tmpdir(), 'marche54-supervisor-'));
  writeFileSync(join(folder, 'script.ts'), script);
});

afterEach(async () => {
  await api.stop();
  rmSync(folder, { recursive: true, force: true });
  vi.restoreAllMocks();
});

test('who asks while the API is starting is answered by the one that a further change started', async () => {
  says('0');
  api = start();
  const asked = api.port();
  says('7');
  api.restart('a change');
  expect(await asked).toBe(7);
});

test('an API that ends is away until the next change', async () => {
  says('');
  api = start();
  expect(await api.port()).toBeUndefined();
  expect(await api.port()).toBeUndefined();
  says('8');
  api.restart('a change');
  expect(await api.port()).toBe(8);
});

test('once stopped it starts nothing any more', async () => {
  says('9');
  api = start();
  expect(await api.port()).toBe(9);
  await api.stop();
  api.restart('a change');
  expect(await api.port()).toBeUndefined();
});
