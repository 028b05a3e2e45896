import type { AstroGlobal } from 'astro';
import { linker } from '../accounts/frame.ts';

/**
 * The gate of every admin page (product §2): a visitor is sent to sign in; anyone else who is no admin gets 403, and
 * `AdminFrame.astro` shows them Access Denied. Answers the way out, if there is one.
 */
export function adminGate(page: Pick<AstroGlobal, 'locals' | 'redirect' | 'response'>): Response | undefined {
  const { role } = page.locals.viewer;
  if (role === 'visitor') return page.redirect(linker(page.locals)('/admin/auth'), 303);
  if (role !== 'admin') page.response.status = 403;
  return undefined;
}
