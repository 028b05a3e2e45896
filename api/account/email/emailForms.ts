import { type Context, Hono } from 'hono';
import { everyone } from '../../core/access.ts';
import { type AppEnv, route, valid } from '../../http/route.ts';
import { Refusal } from '../../shared/errors.ts';
import { emailLink } from '../schema.ts';
import { confirmEmailChange } from './confirmEmailChange.ts';
import { takeBackEmail } from './takeBackEmail.ts';

/**
 * Forms without scripts, for the pages that mail about a changed address links to. They redirect
 * with a code, never a sentence. Everyone may send them: the page explains a missing session.
 */
export const emailForms = new Hono<AppEnv>()
  .post(
    '/email/change/confirm',
    route({
      who: everyone,
      tag: 'accounts',
      summary:
        'Prove a new address by the mailed link, in the session that asked, and go to its page',
    }),
    valid('form', emailLink),
    (c) =>
      answered(c, 'email-change', () =>
        confirmEmailChange(c.get('ctx'), c.req.valid('form').token),
      ),
  )
  .post(
    '/email/take-back',
    route({
      who: everyone,
      tag: 'accounts',
      summary: 'Take one’s former address back by the mailed link, and go to its page',
    }),
    valid('form', emailLink),
    (c) => answered(c, 'email-back', () => takeBackEmail(c.get('ctx'), c.req.valid('form').token)),
  );

async function answered(
  c: Context<AppEnv>,
  page: string,
  work: () => Promise<unknown>,
): Promise<Response> {
  const back = (said: string) => c.redirect(`/${c.get('ctx').language}/${page}?said=${said}`, 303);
  try {
    await work();
    return back('done');
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error;
    return back(error.code);
  }
}
