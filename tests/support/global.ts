import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { migrateDatabase, type Target } from '../../db/client.ts';
import { startCluster, template } from './cluster.ts';

export type TestServer = { target: Target; prefix: string; template: string };

declare module 'vitest' {
  export interface ProvidedContext {
    server: TestServer;
  }
}

export function inDatabase(target: Target, database: string): Target {
  if (typeof target !== 'string') return { ...target, database };
  const address = new URL(target);
  address.pathname = `/${database}`;
  return address.href;
}

/**
 * Starts one Postgres for the run, or uses TEST_DATABASE_URL, whose account must be able to create
 * databases. Test files clone its template in 0.1 s; all is removed afterwards.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const prefix = `m54_test_${process.pid}_${Date.now().toString(36)}`;
  const given = process.env.TEST_DATABASE_URL;
  if (!given) {
    const { target, stop } = await startCluster();
    project.provide('server', { target, prefix, template });
    return stop;
  }
  const server = postgres(given, { max: 1, onnotice: () => {} });
  const own = `${prefix}_template`;
  await server.unsafe(`create database "${own}"`);
  await migrateDatabase(inDatabase(given, own));
  project.provide('server', { target: given, prefix, template: own });
  return async () => {
    const left = await server<
      { datname: string }[]
    >`select datname from pg_database where starts_with(datname, ${prefix})`;
    for (const { datname } of left)
      await server.unsafe(`drop database if exists "${datname}" with (force)`);
    await server.end({ timeout: 2 });
  };
}
