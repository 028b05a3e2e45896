import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { type Db, schema } from '../../db/client.ts';

/** Signing key of all processes: AUTH_SECRET, or one generated and kept in the database. */
export async function sharedSecret(db: Db, given: string | undefined, now: Date): Promise<string> {
  if (given) return given;
  const { secrets } = schema;
  await db
    .insert(secrets)
    .values({ name: 'auth', value: randomBytes(32).toString('hex'), createdAt: now })
    .onConflictDoNothing();
  const [row] = await db.select().from(secrets).where(eq(secrets.name, 'auth'));
  if (!row) throw new Error('The signing key could not be stored');
  return row.value;
}
