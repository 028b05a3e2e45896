import { homes, type Side, sideOf, signInPages } from '../../../../api/auth/rules.ts';
import { wantedPath } from '../../../../api/auth/schema.ts';
import { linker } from '../../lib/paths.ts';
import { googleButton } from './google.ts';

/** Path in `next`; undefined unless it is a page of this site. */
export const wantedOf = (url: URL): string | undefined =>
  wantedPath.safeParse(url.searchParams.get('next')).data;

export const withNext = (path: string, next: string | undefined): string =>
  next === undefined ? path : `${path}?next=${encodeURIComponent(next)}`;

/** Sign-in address for a page, with the way back. */
export const signInPageFor = (locals: App.Locals, next: string | undefined): string =>
  linker(locals)(withNext(signInPages[sideOf(next)], next));

/** Props of a sign-in form; it leads to the wanted page, else home. */
export function signInProps(locals: App.Locals, url: URL, side: Side) {
  const [own, other, home] =
    side === 'seller'
      ? [signInPages.seller, signInPages.member, homes.seller]
      : [signInPages.member, signInPages.seller, homes.member];
  const to = linker(locals);
  const wanted = wantedOf(url);
  // A page with a fixed language fixes the next one's too: it may have changed since the address
  // was written.
  const asked = wanted ?? home;
  const next = locals.prefixed ? to(asked) : asked;
  const back = (path: string) => to(withNext(path, next));
  return {
    next,
    google: googleButton(locals, side, wanted && next),
    mode: url.searchParams.get('mode') === 'sign-up' ? ('sign-up' as const) : ('sign-in' as const),
    links: {
      auth: to(withNext(own, wanted)),
      other: to(withNext(other, wanted)),
      forgot: back('/forgot-password'),
      verification: back('/email-verification'),
    },
  };
}
