import { betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { eq } from 'drizzle-orm';
import { type Db, schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import type { Log } from '../ops/log.ts';
import { hashing } from './passwords/hashing.ts';
import { formsOf, normalPassword } from './passwords/normal.ts';
import { sessions } from './session.ts';
import { storedLink } from './tokens.ts';

export type AuthMails = {
  reset(
    to: { id: string; name: string; email: string; language: Language },
    token: string,
  ): Promise<void>;
};

const resetSeconds = 3600;

/**
 * Configures better-auth (decision 006). Its HTTP routes are not mounted: each route here declares
 * its roles. No cookie cache: a suspension or sign-out takes effect with the next request.
 */
export function createAuth({
  db,
  secret,
  baseURL,
  mails,
  log,
  now,
}: {
  db: Db;
  secret: string;
  baseURL: string;
  mails: AuthMails;
  log: Log;
  now: () => Date;
}) {
  const webUsed = async ({ userId }: { userId: string }) => {
    await db.update(schema.user).set({ webUsedAt: now() }).where(eq(schema.user.id, userId));
  };
  return betterAuth({
    baseURL,
    basePath: '/api/auth',
    secret,
    telemetry: { enabled: false },
    // All levels pass: our log filters and redacts.
    logger: {
      level: 'debug',
      log: (level, message, ...details) => logOf(log, level, message, details),
    },
    database: drizzleAdapter(db, {
      provider: 'pg',
      schema: {
        user: schema.user,
        session: schema.session,
        account: schema.account,
        verification: schema.verification,
      },
    }),
    verification: { storeIdentifier: { hash: async (identifier) => storedLink(identifier) } },
    user: {
      additionalFields: {
        role: { type: 'string', input: false, defaultValue: 'member' },
        language: { type: 'string', input: false, defaultValue: 'en' },
        agreedTo: { type: 'string', input: false, required: false },
      },
    },
    session: { expiresIn: 30 * 86_400, updateAge: 86_400, cookieCache: { enabled: false } },
    databaseHooks: { session: { create: { after: webUsed }, update: { after: webUsed } } },
    emailAndPassword: {
      enabled: true,
      // Accounts are made only in `create.ts`, once their address is proven.
      disableSignUp: true,
      requireEmailVerification: true,
      minPasswordLength: 6,
      maxPasswordLength: 200,
      resetPasswordTokenExpiresIn: resetSeconds,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ user, token }) => mails.reset(user as never, token),
      // Argon2id: a quarter of the default's time at comparable strength (decision 006).
      password: {
        hash: (password) =>
          hashing.run(() =>
            Bun.password.hash(normalPassword(password), {
              algorithm: 'argon2id',
              memoryCost: 19_456,
              timeCost: 2,
            }),
          ),
        verify: async ({ hash, password }) => {
          // Each form waits for a turn of its own: a place in the queue is one hash.
          for (const form of formsOf(password))
            if (await hashing.run(() => Bun.password.verify(form, hash))) return true;
          return false;
        },
      },
    },
    // core/limits counts instead: per account too, by the app's clock.
    rateLimit: { enabled: false },
    plugins: [sessions()],
    advanced: {
      cookiePrefix: 'marche54',
      useSecureCookies: baseURL.startsWith('https:'),
      defaultCookieAttributes: { sameSite: 'lax', httpOnly: true },
    },
  });
}

/** A bare string may be a token: only errors and objects are logged. */
function logOf(
  log: Log,
  level: 'debug' | 'info' | 'warn' | 'error',
  message: unknown,
  details: unknown[],
): void {
  const named = details.filter((detail) => typeof detail === 'object' && detail !== null);
  log[level](`better-auth: ${message}`, named.length > 0 ? { details: named } : {});
}

export type Auth = ReturnType<typeof createAuth>;
