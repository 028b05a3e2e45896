import { defineMiddleware } from 'astro:middleware';
import { adminGate } from './features/admin/gate.ts';
import { ApiError } from './lib/api.ts';

/** Reading `viewer` while it is unknown. It was reported where it was found out (api/app.ts). */
class ViewerUnknown extends Error {}

/**
 * Runs ahead of every page: checks who may see an admin's. While the database is away and the viewer unknown, a page that reads `viewer` gives way
 * to the error screen; one that can do without reads `publicViewer`. A page that throws is reported before Astro shows that screen: "our team has
 * been notified" must be true (product R41).
 */
export const onRequest = defineMiddleware(async (context, next) => {
  if (context.locals.viewerUnknown)
    Object.defineProperty(context.locals, 'viewer', {
      configurable: true,
      get() {
        throw new ViewerUnknown('Nobody can tell who looks: the database is away');
      },
    });
  try {
    const asked = adminGate(context);
    if (asked instanceof Response) return asked;
    const page = await next();
    return asked === 200 ? page : new Response(page.body, { status: asked, headers: page.headers });
  } catch (error) {
    // The API has reported its own failure under the same reference. Astro would log what is thrown, for every page
    // that is asked for while the database is away.
    if (error instanceof ViewerUnknown || (error instanceof ApiError && error.status >= 500))
      return context.rewrite('/500');
    context.locals.report(error);
    throw error;
  }
});
