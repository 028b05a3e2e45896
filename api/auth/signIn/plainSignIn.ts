import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { type Context, Hono } from 'hono';
import { dictionaries } from '../../../locales/index.ts';
import { readQuestion } from '../../challenge/signed.ts';
import { everyone } from '../../core/access.ts';
import type { Ctx } from '../../core/context.ts';
import { type AppEnv, route, valid } from '../../http/route.ts';
import { type FieldProblem, presentRefusal, Refusal } from '../../shared/errors.ts';
import { problemsOf } from '../../shared/issues.ts';
import { ownPath } from '../../shared/ownPath.ts';
import type { SignUpCtx } from '../context.ts';
import { homes, signInPages } from '../rules.ts';
import { keptForm, plainSignIn, sellerSignIn } from '../schema.ts';
import { signIn } from './signIn.ts';

/** Refused form, to be shown again. Sealed in the URL, so that no email address reaches a log. */
type Kept = {
  email: string;
  code: ConstructorParameters<typeof Refusal>[0];
  fields: FieldProblem[];
  token?: string;
  at: number;
};
const lifeMs = 10 * 60_000;

/** Sign-in form for browsers without scripts; always redirects to a page. */
export const plainSignInRoutes = (contextOf: (c: Context<AppEnv>) => Promise<SignUpCtx>) =>
  new Hono<AppEnv>()
    .post(
      '/sign-in/form',
      route({
        who: everyone,
        tag: 'accounts',
        summary: 'Sign in by a form without scripts, and go to a page',
      }),
      valid('form', plainSignIn),
      async (c) => {
        const { next, door, language, ...typed } = c.req.valid('form');
        const ctx = await contextOf(c);
        const page = `${language ? `/${language}` : ''}${signInPages[door]}`;
        try {
          const given = sellerSignIn.safeParse(typed);
          if (!given.success)
            throw new Refusal('validation', {}, problemsOf(given.error.issues as never, isKey));
          const { cookies } = await signIn(ctx, given.data);
          for (const line of cookies) c.header('set-cookie', line, { append: true });
          // The page leads on who is signed in, and names blocked cookies to others.
          const onward = new URLSearchParams({ signed: '1', next: ownPath(next, homes[door]) });
          return c.redirect(`${page}?${onward}`, 303);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          for (const line of error.cookies) c.header('set-cookie', line, { append: true });
          const query = new URLSearchParams({
            kept: await seal(ctx, typed.email, error),
            ...(next ? { next } : {}),
          });
          return c.redirect(`${page}?${query}`, 303);
        }
      },
    )
    .get(
      '/sign-in/form',
      route({
        who: everyone,
        tag: 'accounts',
        summary: 'What a refused sign-in form without scripts shows again',
      }),
      valid('query', keptForm),
      async (c) => c.json(await readKept(c.get('ctx'), c.req.valid('query').kept)),
    );

const isKey = (key: string) => Object.hasOwn(dictionaries.en.validation, key);

function seal(
  { services, now }: Ctx,
  email: string,
  { code, fields, details }: Refusal,
): Promise<string> {
  const token = typeof details?.token === 'string' ? { token: details.token } : {};
  return symmetricEncrypt({
    key: services.secret,
    data: JSON.stringify({ email, code, fields, ...token, at: now().getTime() } satisfies Kept),
  });
}

async function readKept(ctx: Ctx, sealed: string) {
  const kept = await symmetricDecrypt({ key: ctx.services.secret, data: sealed })
    .then((text) => JSON.parse(text) as Kept)
    .catch(() => undefined);
  if (!kept || ctx.now().getTime() - kept.at >= lifeMs) throw new Refusal('notFound');
  const { message, fields = [] } = presentRefusal(
    new Refusal(kept.code, {}, kept.fields),
    ctx.language,
    ctx.requestId,
  ).error;
  const question =
    kept.token === undefined ? undefined : await readQuestion(ctx, 'sign-in', kept.token);
  return {
    email: kept.email,
    message,
    fields: Object.fromEntries(fields.map((field) => [field.path, field.message])),
    question,
  };
}
