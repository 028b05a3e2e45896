import { defineMiddleware } from 'astro:middleware';
import { adminGate } from './features/admin/gate.ts';
import { ApiError } from './lib/api.ts';

/** The pages that are another one for each person. */
const asksWho = /^\/(?:admin|seller|account|connect\/(?:mine|credits)|email-verification|sign-in)(?:\/|$)/;

/**
 * What is asked ahead of every page: who may see it, where it is the admin's. While nobody can tell who asks, for the database is away, the
 * pages that depend on it give way to the error screen. A page that throws is reported before Astro shows that screen: "our team has been
 * notified" must be true (product R41).
 */
export const onRequest = defineMiddleware(async (context, next) => {
  // Reported where it was found out (api/app.ts).
  if (context.locals.viewerUnknown && asksWho.test(context.routePattern)) return context.rewrite('/500');
  const asked = adminGate(context);
  if (asked instanceof Response) return asked;
  try {
    const page = await next();
    return asked === 200 ? page : new Response(page.body, { status: asked, headers: page.headers });
  } catch (error) {
    // The API has reported its own failure, under the same reference.
    if (error instanceof ApiError && error.status >= 500) return context.rewrite('/500');
    context.locals.report(error);
    throw error;
  }
});
