import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import type { Auth } from '../auth/auth.ts';
import type { WithAuth } from '../auth/context.ts';
import { signedIn } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { optionalKinds } from '../people/notifications.ts';
import { switchNotification } from '../people/switches.ts';
import { dayKey } from '../shared/format.ts';
import { changeLanguage } from './changeLanguage.ts';
import { changeName } from './changeName.ts';
import { changePassword } from './changePassword.ts';
import { disconnect } from './disconnect.ts';
import { askEmail } from './email/askEmail.ts';
import { askEmailChange } from './email/askEmailChange.ts';
import { cancelEmailChange } from './email/cancelEmailChange.ts';
import { confirmEmail } from './email/confirmEmail.ts';
import { emailForms } from './email/emailForms.ts';
import { resendEmailChange } from './email/resendEmailChange.ts';
import { endOtherSessions } from './endOtherSessions.ts';
import { endSession } from './endSession.ts';
import { askExport } from './export/askExport.ts';
import { readExport, requireExport } from './export/readExport.ts';
import { leave } from './leaving/leave.ts';
import { stay } from './leaving/stay.ts';
import { mailPasswordLink } from './mailPasswordLink.ts';
import { ownAccount } from './reads.ts';
import * as schema from './schema.ts';

const letterKind = z.strictObject({ kind: z.enum(optionalKinds) });
const declared = (summary: string) => route({ who: signedIn, tag: 'accounts', summary });

/** Routes of one's own account. */
export function accountRoutes(auth: Auth) {
  const withAuth = (c: Context<AppEnv>): WithAuth => ({ ...c.get('ctx'), auth });
  return new Hono<AppEnv>()
    .route('/', emailForms)
    .get('/', declared('One’s own account: name, ways to sign in, sessions, letters'), async (c) =>
      c.json(await ownAccount(c.get('ctx'))),
    )
    .put('/name', declared('Change one’s name'), valid('json', schema.newName), async (c) =>
      c.json(await changeName(c.get('ctx'), c.req.valid('json').name)),
    )
    .put(
      '/language',
      declared('Change the language of one’s letters'),
      valid('json', schema.newLanguage),
      async (c) => c.json(await changeLanguage(c.get('ctx'), c.req.valid('json').language)),
    )
    .put(
      '/password',
      declared('Change one’s password with the present one; other sessions end'),
      valid('json', schema.newPassword),
      async (c) => c.json(await changePassword(withAuth(c), c.req.valid('json'))),
    )
    .post(
      '/email',
      declared('Mail a link that proves the first address of an account that began in a chat'),
      valid('json', schema.newEmail),
      async (c) => c.json(await askEmail(withAuth(c), c.req.valid('json').email)),
    )
    .post(
      '/email/confirm',
      declared('Prove that address by the mailed link, once'),
      valid('json', schema.emailLink),
      async (c) => c.json(await confirmEmail(c.get('ctx'), c.req.valid('json').token)),
    )
    .post(
      '/email/change',
      declared('Ask to change one’s address, which a link mailed to it proves'),
      valid('json', schema.changedEmail),
      async (c) => c.json(await askEmailChange(withAuth(c), c.req.valid('json'))),
    )
    .post('/email/change/resend', declared('Mail that link once more'), async (c) =>
      c.json(await resendEmailChange(c.get('ctx'))),
    )
    .delete('/email/change', declared('Give up a change of one’s address that waits'), async (c) =>
      c.json(await cancelEmailChange(c.get('ctx'))),
    )
    .post('/password/link', declared('Mail a link to choose a first password'), async (c) =>
      c.json(await mailPasswordLink(withAuth(c))),
    )
    .post(
      '/sign-ins/:provider/disconnect',
      declared('Disconnect another way to sign in, where a password remains'),
      valid('param', schema.provider),
      valid('json', schema.proof),
      async (c) =>
        c.json(await disconnect(withAuth(c), c.req.valid('param').provider, c.req.valid('json'))),
    )
    .post('/sessions/end-others', declared('Sign out everywhere else'), async (c) =>
      c.json(await endOtherSessions(c.get('ctx'))),
    )
    .delete(
      '/sessions/:id',
      declared('Sign out one session'),
      valid('param', schema.sessionId),
      async (c) => c.json(await endSession(c.get('ctx'), c.req.valid('param').id)),
    )
    .put(
      '/letters/:kind',
      declared('Switch a kind of letter off, or on again'),
      valid('param', letterKind),
      valid('json', schema.mailSwitch),
      async (c) => {
        const { on } = c.req.valid('json');
        await switchNotification(c.get('ctx'), c.req.valid('param').kind, on);
        return c.json({ on });
      },
    )
    .post(
      '/export',
      declared('Ask for a download of all that is stored about oneself'),
      valid('json', schema.proof),
      async (c) => c.json(await askExport(withAuth(c), c.req.valid('json'))),
    )
    .get(
      '/export/:id',
      declared('The download, as a zip; once'),
      valid('param', schema.exportId),
      async (c) => {
        const ctx = c.get('ctx');
        const { id } = c.req.valid('param');
        // HEAD must not use the link up.
        const zip =
          c.req.method === 'HEAD' ? await requireExport(ctx, id) : await readExport(ctx, id);
        const headers = {
          'content-type': 'application/zip',
          'content-disposition': `attachment; filename="marche54-${dayKey(ctx.now())}.zip"`,
        };
        return new Response(zip, { headers });
      },
    )
    .post(
      '/leave',
      declared('Ask for one’s account to be deleted in seven days'),
      valid('json', schema.proof),
      async (c) => c.json(await leave(withAuth(c), c.req.valid('json'))),
    )
    .post('/stay', declared('Keep an account that was to be deleted'), async (c) =>
      c.json(await stay(c.get('ctx'))),
    );
}
