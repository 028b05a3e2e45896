import type { APIContext } from 'astro';
import { linker } from '../../lib/paths.ts';

/**
 * The gate of every admin page (product §2), which the middleware asks ahead of the page: a visitor is sent to sign in; anyone else who
 * is no admin gets 403, and `AdminPage.astro` shows them Access Denied. Answers the way out, or the status of the page.
 */
export function adminGate({
  locals,
  routePattern,
  redirect,
}: Pick<APIContext, 'locals' | 'routePattern' | 'redirect'>): Response | 200 | 403 {
  if (!/^\/admin(\/|$)/.test(routePattern) || routePattern === '/admin/auth') return 200;
  const { role } = locals.viewer;
  if (role === 'admin') return 200;
  return role === 'visitor' ? redirect(linker(locals)('/admin/auth'), 303) : 403;
}
