import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { connect, migrateDatabase } from '../db/client.ts';
import { DataFolderInUse, lockDataFolder } from '../db/datafolder.ts';
import { startEmbeddedPostgres } from '../db/embedded.ts';
import { translator } from '../locales/index.ts';
import { createAdmin } from './auth/admins.ts';
import { createAuth } from './auth/auth.ts';
import { newAdmin } from './auth/schema.ts';
import { resetSecondFactor } from './auth/secondFactor.ts';
import { readEnv } from './core/env.ts';
import { problemsOf } from './core/issues.ts';
import { redact } from './core/redact.ts';
import { demoContext } from './demo/context.ts';
import { sharedSecret } from './secret.ts';
import { createServices } from './services.ts';

/**
 * `bun run admin:create --email … --name … [--password …]`: the only way in for the first admin (product R0). The password is asked for
 * when it is not given. With `--email … --reset-second-factor` it makes nobody an admin: it takes the second factor from one who lost it.
 */
const { values } = parseArgs({
  options: { email: { type: 'string' }, name: { type: 'string' }, password: { type: 'string' }, 'reset-second-factor': { type: 'boolean' } },
});

function whomToMake(email: string): { email: string; name: string; password: string } {
  const name = values.name ?? prompt('Name:') ?? '';
  const password = values.password ?? prompt('Password (8 or more characters, with a capital, a small letter and a number):') ?? '';
  const judged = newAdmin.safeParse({ email, name, password }, { reportInput: true });
  if (judged.success) return judged.data;
  const say = translator('en', 'validation');
  throw new Error(
    problemsOf(judged.error.issues)
      .map(({ path, code, params }) => `${path}: ${say(code, params)}`)
      .join('\n'),
  );
}

async function main(): Promise<void> {
  const asked = values.email ?? prompt('Email:') ?? '';
  const resetting = values['reset-second-factor'] ? asked.trim().toLowerCase() : undefined;
  const wanted = resetting === undefined ? whomToMake(asked) : undefined;
  const env = readEnv(process.env);
  const now = () => new Date();
  const folder = resolve(env.DATA_DIR);
  const lock = await lockDataFolder(folder).catch((error) => {
    if (error instanceof DataFolderInUse) return undefined;
    throw error;
  });
  const embedded = env.DATABASE_URL ? undefined : await startEmbeddedPostgres({ folder: join(folder, 'postgres') });
  const target = env.DATABASE_URL ?? embedded?.connect() ?? '';
  await migrateDatabase(target, env.DATABASE_URL ? 'at DATABASE_URL' : `in ${folder}`);
  const database = connect(target, { max: 2 });
  try {
    const services = createServices(env, await sharedSecret(database.db, env.AUTH_SECRET, now()));
    const ctx = demoContext({ db: database.db, services, now });
    if (wanted) {
      const silent = { reset: async () => {} };
      const auth = createAuth({ db: database.db, log: services.log, secret: services.secret, baseURL: env.publicUrl, letters: silent });
      const { created, passwordSet } = await createAdmin({ ...ctx, auth }, wanted);
      console.log(
        created
          ? `Admin ${wanted.email} is made. Sign in at ${env.publicUrl}/admin/auth`
          : `${wanted.email} had an account: it is an admin now, with ${passwordSet ? 'the password you gave' : 'the password it had'}.`,
      );
    } else {
      const had = await resetSecondFactor(ctx, resetting ?? '');
      console.log(
        had ? `The second factor of ${resetting} is off. Sign in with the password alone, then turn it on again.` : `${resetting} has no second factor.`,
      );
    }
  } finally {
    await database.close();
    // The database of a running market is shared, and left running; one that had to be started here is stopped again.
    if (lock) await embedded?.stop();
    await lock?.release();
  }
}

try {
  await main();
  process.exit(0);
} catch (error) {
  console.error(redact(error instanceof Error ? error.message : error));
  process.exit(1);
}
