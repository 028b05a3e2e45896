import { defineMiddleware } from 'astro:middleware';
import { setBranding } from '../../locales/index.ts';
import { adminGate } from './features/admin/gate.ts';
import { ApiError } from './lib/api.ts';

/**
 * Thrown when a page reads `viewer` while it is unknown. api/app.ts has already reported the cause.
 */
class ViewerUnknown extends Error {}

/**
 * Guards admin pages, and reports a page that throws: "our team has been notified" must be true
 * (product R41). While the database is unavailable, pages that read `viewer` become the error
 * screen; others read `publicViewer`.
 */
export const onRequest = defineMiddleware(async (context, next) => {
  setBranding(context.locals.branding);
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
    // The API has already reported it. Astro would log each rethrown error.
    if (error instanceof ViewerUnknown || (error instanceof ApiError && error.status >= 500))
      return context.rewrite('/500');
    context.locals.report(error);
    throw error;
  }
});
