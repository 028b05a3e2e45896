import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import * as z from 'zod';

/** Opens a session without a password, which better-auth does not offer. Server-only: no URL. */
export const sessions = () =>
  ({
    id: 'sessions',
    endpoints: {
      openSession: createAuthEndpoint.serverOnly(
        { method: 'POST', body: z.object({ userId: z.string() }) },
        async (c) => {
          const { internalAdapter } = c.context;
          const user = await internalAdapter.findUserById(c.body.userId);
          if (!user) throw new Error('A session is for a user that there is');
          const session = await internalAdapter.createSession(user.id);
          await setSessionCookie(c, { session, user });
          return c.json({ opened: true });
        },
      ),
    },
  }) satisfies BetterAuthPlugin;
