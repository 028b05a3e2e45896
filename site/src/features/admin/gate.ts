import type { APIContext } from 'astro';
import { linker } from '../../lib/paths.ts';
import { hasPage } from './pages.ts';

/**
 * Access check of all admin pages (product §2), called by the middleware. Visitors are redirected
 * to sign-in; others get 403 and `AdminPage.astro` shows Access Denied.
 */
export function adminGate({
  locals,
  routePattern,
  redirect,
}: Pick<APIContext, 'locals' | 'routePattern' | 'redirect'>): Response | 200 | 403 {
  if (!/^\/admin(\/|$)/.test(routePattern) || routePattern === '/admin/auth') return 200;
  if (hasPage(locals.viewer, routePattern)) return 200;
  return locals.viewer.role === 'visitor' ? redirect(linker(locals)('/admin/auth'), 303) : 403;
}
