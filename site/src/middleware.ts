import { defineMiddleware } from 'astro:middleware';
import { adminGate } from './features/admin/gate.ts';

/**
 * What is asked ahead of every page: who may see it, where it is the admin's. A page that throws is reported before Astro shows the error
 * screen: "our team has been notified" must be true (product R41).
 */
export const onRequest = defineMiddleware(async (context, next) => {
  const asked = adminGate(context);
  if (asked instanceof Response) return asked;
  try {
    const page = await next();
    return asked === 200 ? page : new Response(page.body, { status: asked, headers: page.headers });
  } catch (error) {
    context.locals.report(error);
    throw error;
  }
});
