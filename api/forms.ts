import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { anyLanguage, languages } from '../locales/languages.ts';
import type { Auth } from './auth/auth.ts';
import { signOut } from './auth/signOut.ts';
import { requestContact } from './contact/request.ts';
import { contactForm, replyIn } from './contact/schema.ts';
import { everyone, signedIn } from './core/access.ts';
import { ensureVisitor, rememberContact, rememberPreferences, themes } from './http/cookies.ts';
import { type AppEnv, route, valid } from './http/route.ts';
import { agree } from './legal/agree.ts';
import { productReferred } from './products/schema.ts';
import { Refusal } from './shared/errors.ts';
import { ownPath } from './shared/ownPath.ts';

const preferences = z.object({
  language: z.optional(z.enum(languages)),
  theme: z.optional(z.enum(themes)),
  returnTo: z._default(z.string(), '/'),
});
const agreeing = z.object({ version: z.string(), returnTo: z._default(z.string(), '/account') });
const leaving = z.object({ returnTo: z._default(z.string(), '/') });

function switchTo(path: string, language: string | undefined): string {
  return language
    ? path.replace(new RegExp(`^/(?:${anyLanguage})(?=/|$|\\?)`), `/${language}`)
    : path;
}

/** A script may have changed the query since the form was rendered. */
function asItStands(page: string, referer: string | undefined): string {
  const present = referer !== undefined && URL.canParse(referer) ? new URL(referer) : undefined;
  return present?.pathname === page.replace(/[?#].*/, '')
    ? present.pathname + present.search
    : page;
}

/** For pages whose scripts never arrived. */
export const formRoutes = (auth: Auth) =>
  new Hono<AppEnv>()
    .post(
      '/sign-out',
      route({
        who: everyone,
        tag: 'accounts',
        summary: 'End the present session, and go to a page of this site',
      }),
      valid('form', leaving),
      async (c) => {
        const { cookies } = await signOut({ ...c.get('ctx'), auth, headers: c.req.raw.headers });
        for (const cookie of cookies) c.header('set-cookie', cookie, { append: true });
        return c.redirect(ownPath(c.req.valid('form').returnTo), 303);
      },
    )
    .post(
      '/agree',
      route({
        who: signedIn,
        tag: 'accounts',
        summary: 'Agree to the terms that the page showed, and go back',
      }),
      valid('form', agreeing),
      async (c) => {
        const { version, returnTo } = c.req.valid('form');
        await agree(c.get('ctx'), version).catch((error: unknown) => {
          // The page asks again, about the present version.
          if (!(error instanceof Refusal && error.code === 'legal.changed')) throw error;
        });
        return c.redirect(ownPath(returnTo), 303);
      },
    )
    .post(
      '/preferences',
      route({
        who: everyone,
        tag: 'operation',
        summary: 'Remember language or theme, and go back',
      }),
      valid('form', preferences),
      (c) => {
        const { language, theme, returnTo } = c.req.valid('form');
        rememberPreferences(c, { language, theme });
        return c.redirect(
          switchTo(ownPath(asItStands(returnTo, c.req.header('referer'))), language),
          303,
        );
      },
    )
    .post(
      '/contact/:id',
      route({
        who: everyone,
        tag: 'contact',
        summary: 'The contact request as a form: consent, then off to WhatsApp',
      }),
      valid('param', productReferred),
      valid('form', contactForm),
      async (c) => {
        await ensureVisitor(c);
        const form = c.req.valid('form');
        try {
          const { link } = await requestContact(
            c.get('ctx'),
            c.req.valid('param').id,
            form.consent === 'yes',
            replyIn(form),
          );
          await rememberContact(c);
          return c.redirect(link, 303);
        } catch (error) {
          return toQuestion(c, error, form) ?? backWithReason(c, error, form.slot);
        }
      },
    );

/** The question's page keeps the consent, and an answer given too early. */
function toQuestion(
  c: Context<AppEnv>,
  error: unknown,
  { slot, answer }: { slot?: string | undefined; answer?: string | undefined },
): Response | undefined {
  if (!(error instanceof Refusal) || typeof error.details?.token !== 'string') return undefined;
  const query = new URLSearchParams({ token: error.details.token });
  if (/^\d{1,2}$/.test(slot ?? '')) query.set('slot', slot ?? '');
  if (error.code !== 'contact.challenge') query.set('said', error.code.replace('contact.', ''));
  if (error.code === 'contact.tooEarly' && answer) query.set('answer', answer);
  return c.redirect(`/${c.get('ctx').language}/contact/question?${query}`, 303);
}

/** The reason travels as a code: a sentence in the address could be forged. */
function backWithReason(c: Context<AppEnv>, error: unknown, slot: string | undefined): Response {
  if (!(error instanceof Refusal) || !/^\d{1,2}$/.test(slot ?? '')) throw error;
  return c.redirect(
    `/${c.get('ctx').language}/shop/slot/${slot}?contact=${error.code.replace('contact.', '')}`,
    303,
  );
}
