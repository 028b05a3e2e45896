import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { type Db, schema } from '../../db/client.ts';

const { secrets } = schema;
/** `auth` signs cookies, `credits` and `queue` the ledgers, `push` the messages to browsers. */
type Name = 'auth' | 'credits' | 'queue' | 'push';
type Kept = Pick<Db, 'select'>;

/** A generated secret of all processes; undefined before its first use. */
export async function knownSecret(db: Kept, name: Name): Promise<string | undefined> {
  const [known] = await db
    .select({ value: secrets.value })
    .from(secrets)
    .where(eq(secrets.name, name));
  return known?.value;
}

/** A secret that is generated once and kept in the database, so in each backup. */
export async function keptSecret(
  db: Kept & Pick<Db, 'insert'>,
  name: Name,
  now: Date,
  make = (): string => randomBytes(32).toString('hex'),
): Promise<string> {
  const known = await knownSecret(db, name);
  if (known !== undefined) return known;
  await db.insert(secrets).values({ name, value: make(), createdAt: now }).onConflictDoNothing();
  const made = await knownSecret(db, name);
  if (made === undefined) throw new Error(`The secret ${name} could not be kept`);
  return made;
}

/** Signing key of all processes: AUTH_SECRET, or one generated and kept in the database. */
export const sharedSecret = async (db: Db, given: string | undefined, now: Date): Promise<string> =>
  given || keptSecret(db, 'auth', now);
