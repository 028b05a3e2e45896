import { Hono } from 'hono';
import { everyone } from '../core/access.ts';
import { ensureVisitor } from '../http/cookies.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { Refusal } from '../shared/errors.ts';
import { demoPhoto } from './chat.ts';
import { chooseDemoPerson } from './choose.ts';
import { forgetDemoChat } from './forgetDemoChat.ts';
import { demoChoice, demoMessage, demoPhotoRef } from './schema.ts';
import { writeInDemo } from './writeInDemo.ts';

/** The demo's sign-in provider and chat as plain forms (decision 006). */
export const demoForms = new Hono<AppEnv>()
  .on(
    ['GET', 'POST'],
    '/demo/oidc/*',
    route({
      who: everyone,
      tag: 'operation',
      summary: 'Demo mode only: an OpenID Connect provider that stands for Google',
      acts: true,
    }),
    async (c) => {
      const { url, method, headers, body } = c.req.raw;
      const { demoProvider } = c.get('ctx').services;
      if (!demoProvider) throw new Refusal('notFound');
      const answer = await demoProvider.fetch(url, { method, headers, ...(body ? { body } : {}) });
      return new Response(answer.body, answer);
    },
  )
  .post(
    '/demo/sign-in',
    route({
      who: everyone,
      tag: 'operation',
      summary: 'Demo mode only: choose who to be at that provider',
    }),
    valid('form', demoChoice),
    async (c) => {
      const choice = c.req.valid('form');
      const person =
        'email' in choice
          ? { email: choice.email, name: choice.name, proven: choice.proven === 'yes' }
          : null;
      const next = await chooseDemoPerson(c.get('ctx'), choice.uid, person);
      return c.redirect(next ?? '/sign-in?google=over', 303);
    },
  )
  .post(
    '/demo/chat',
    route({
      who: everyone,
      tag: 'operation',
      summary: 'Demo mode only: write in this browser’s own chat',
    }),
    async (c, next) => {
      if (!c.get('ctx').services.demoNetwork) throw new Refusal('notFound');
      await next();
    },
    valid('form', demoMessage),
    async (c) => {
      const { as, text, share, again, photo } = c.req.valid('form');
      const ctx = c.get('ctx');
      const bytes =
        photo instanceof File && photo.size > 0
          ? new Uint8Array(await photo.arrayBuffer())
          : undefined;
      if (again) await forgetDemoChat(ctx, as);
      else if (text.trim() || share || bytes)
        await writeInDemo(ctx, await ensureVisitor(c), {
          as,
          text,
          share: share !== undefined,
          photo: bytes,
        });
      return c.req.header('accept')?.includes('json')
        ? c.json({ written: true })
        : c.redirect(`/${ctx.language}/demo/chat?as=${as}#write`, 303);
    },
  )
  .get(
    '/demo/chat/photo/:ref',
    route({
      who: everyone,
      tag: 'operation',
      summary: 'Demo mode only: a photo that was sent in this browser’s own chat',
    }),
    valid('param', demoPhotoRef),
    (c) => {
      const { bytes, type } = demoPhoto(c.get('ctx'), c.req.valid('param').ref);
      return c.body(new Uint8Array(bytes), 200, {
        'content-type': type,
        'cache-control': 'private, max-age=3600',
        'content-security-policy': "default-src 'none'",
      });
    },
  );
