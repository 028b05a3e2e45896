import { eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { deleteLeavers } from '../../api/account/leaving/erase.ts';
import { limits } from '../../api/account/rules.ts';
import type { WithAuth } from '../../api/auth/context.ts';
import { schema } from '../../db/client.ts';
import type { Person } from './actors.ts';
import type { Caller, TestApp } from './app.ts';

/** Code that an authenticator shows at a moment. */
export const codeOf = (secret: string, at: Date): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });

export function accountActions(market: TestApp) {
  const { user, session } = schema;
  const as = async (person: Caller, db?: TestApp['db']): Promise<WithAuth> => ({
    ...(await market.ctx(person, db ? { db } : {})),
    auth: market.auth,
  });
  return {
    as,
    rowOf: async ({ userId }: Person) =>
      (await market.db.select().from(user).where(eq(user.id, userId)))[0],
    sessionsOf: ({ userId }: Person) =>
      market.db.select().from(session).where(eq(session.userId, userId)),
    /** Lets the grace period pass, then runs the deletion job. */
    async graceOver() {
      market.clock.set(new Date(market.clock.now().getTime() + limits.graceMs));
      return deleteLeavers(market.job('delete-accounts'));
    },
    /**
     * Makes an account sign in with Google only; its session began `minutesAgo` by the market's
     * clock.
     */
    async googleAlone({ userId }: Person, minutesAgo = 0) {
      const { account } = schema;
      await market.db.delete(account).where(eq(account.userId, userId));
      await market.db.insert(account).values({
        id: `google-${userId}`,
        accountId: `sub-${userId}`,
        providerId: 'google',
        userId,
      });
      const createdAt = new Date(market.clock.now().getTime() - minutesAgo * 60_000);
      await market.db.update(session).set({ createdAt }).where(eq(session.userId, userId));
    },
    /** Every text of every table, as stored. */
    async everything(): Promise<string> {
      const tables = await market.sql<
        { name: string }[]
      >`select table_name as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`;
      const rows = await Promise.all(
        tables.map(({ name }) =>
          market.sql.unsafe(
            `select '${name}' as "table", to_jsonb(t)::text as row from "${name}" t`,
          ),
        ),
      );
      return rows
        .flat()
        .map(({ table, row }) => `${table}: ${row}`)
        .join('\n');
    },
  };
}
