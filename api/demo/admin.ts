import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { privateFile } from '../../db/privacy.ts';
import type { WithAuth } from '../auth/context.ts';
import { hashPassword } from '../auth/create.ts';
import { makeAdmin } from '../auth/makeAdmin.ts';
import { isLoopback } from '../http/host.ts';
import { currentVersion } from '../legal/version.ts';

const email = 'admin@demo.marche54.example';

/**
 * Creates the demo's admin and resets its password from the data folder at each start. Returns
 * sign-in details for the terminal, without the password if other machines can reach the server:
 * logs are read by many.
 */
export async function prepareAdmin(ctx: WithAuth): Promise<string> {
  const { DATA_DIR, HOST } = ctx.services.env;
  const file = join(resolve(DATA_DIR), 'demo-admin-password');
  const password = await keptPassword(file);
  const { passwordSet } = await makeAdmin(ctx, { email, name: 'Demo Admin', password });
  const agreed = { agreedTo: (await currentVersion(ctx)).id, agreedAt: ctx.now() };
  await ctx.db.update(schema.user).set(agreed).where(eq(schema.user.email, email));
  if (!passwordSet) await giveBack(ctx, password);
  return `admin ${email} / ${isLoopback(HOST) ? password : `(password in ${file})`}`;
}

async function keptPassword(file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (kept.trim()) return kept.trim();
  const password = randomBytes(9).toString('base64url');
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, `${password}\n`, { mode: privateFile });
  return password;
}

async function giveBack(ctx: WithAuth, password: string): Promise<void> {
  const { user, account } = schema;
  const { password: hasher } = await ctx.auth.$context;
  const [row] = await ctx.db
    .select({ id: account.id, hash: account.password })
    .from(account)
    .innerJoin(user, eq(user.id, account.userId))
    .where(and(eq(user.email, email), eq(account.providerId, 'credential')));
  if (!row || (row.hash && (await hasher.verify({ hash: row.hash, password })))) return;
  await ctx.db
    .update(account)
    .set({ password: await hashPassword(ctx, password), updatedAt: ctx.now() })
    .where(eq(account.id, row.id));
}
