import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { privateFile } from '../../db/privacy.ts';
import { makeAdmin } from '../auth/admins.ts';
import type { WithAuth } from '../auth/context.ts';
import { hashPassword } from '../auth/create.ts';
import { isLoopback } from '../core/host.ts';

const email = 'admin@demo.marche54.example';

/**
 * Sees to it that the demo has its admin, and answers how to sign in, for the terminal. The password is made once and kept in the data folder; each
 * start gives it to the account again, so that what is said is always true. Where the demo can be reached from other machines, its file is
 * named in place of the password: what a server prints there is often kept where many read it.
 */
export async function prepareAdmin(ctx: WithAuth): Promise<string> {
  const { DATA_DIR, HOST } = ctx.services.env;
  const file = join(resolve(DATA_DIR), 'demo-admin-password');
  const password = await keptPassword(file);
  const { passwordSet } = await makeAdmin(ctx, { email, name: 'Demo Admin', password });
  if (!passwordSet) await giveBack(ctx, password);
  return `admin ${email} / ${isLoopback(HOST) ? password : `(password in ${file})`}`;
}

/** The password in the file, which its owner alone can read; a new one where there is no file. */
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
