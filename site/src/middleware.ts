import { defineMiddleware } from 'astro:middleware';

/** A page that throws is reported before Astro shows the error screen: "our team has been notified" must be true (product R41). */
export const onRequest = defineMiddleware(async ({ locals }, next) => {
  try {
    return await next();
  } catch (error) {
    locals.report(error);
    throw error;
  }
});
