import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import setup, { inDatabase, type TestServer } from '../../tests/support/global.ts';
import { openTestbed, type Testbed } from './testbed.ts';

/**
 * Starts a filled market on its own database server; adds cleanup steps to `undo`, to run in
 * reverse.
 */
export async function openOwnPlace(undo: (() => Promise<unknown>)[]): Promise<Testbed> {
  let server: TestServer | undefined;
  const provide = (_: string, given: TestServer) => {
    server = given;
  };
  undo.push(await setup({ provide } as unknown as TestProject));
  if (!server) throw new Error('There is no database server');
  const target = inDatabase(server.target, server.template);
  const options = { max: 2, onnotice: () => {} };
  const sql =
    typeof target === 'string' ? postgres(target, options) : postgres({ ...target, ...options });
  undo.push(() => sql.end({ timeout: 2 }));
  const testbed = await openTestbed(target, sql);
  undo.push(() => testbed.stop());
  return testbed;
}
