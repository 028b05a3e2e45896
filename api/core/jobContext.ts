import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import type { Db } from '../../db/client.ts';
import type { Ctx, Services } from './context.ts';

/** The database, services and clock of a process, for its jobs, its bot and its commands. */
export type JobHost = {
  db: Db;
  sql: Sql;
  services: Services;
  now: () => Date;
  signal?: AbortSignal;
  /** A frozen process then loses its lock, and another may run the job. */
  lockSeconds?: number;
};

/** The context of work that no person asked for. */
export function jobContext({ db, services, now, signal }: Omit<JobHost, 'sql'>, name: string): Ctx {
  return {
    db,
    services,
    now,
    actor: { kind: 'job', name },
    via: 'job',
    language: 'en',
    requestId: `job-${randomUUID()}`,
    client: { visitor: null, addressHash: '', userAgent: '' },
    ...(signal ? { signal } : {}),
  };
}
