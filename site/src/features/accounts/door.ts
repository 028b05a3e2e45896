import { doors, homes, type Side, sideOf } from '../../../../api/auth/rules.ts';
import { wantedPath } from '../../../../api/auth/schema.ts';
import { linker } from '../../lib/paths.ts';
import { googleButton } from './google.ts';

/** Where the reader wants to go on to, as a page's address says; nothing where that is no page of this site. */
export const wantedOf = (url: URL): string | undefined =>
  wantedPath.safeParse(url.searchParams.get('next')).data;

export const withNext = (path: string, next: string | undefined): string =>
  next === undefined ? path : `${path}?next=${encodeURIComponent(next)}`;

/** The door that leads to a page, and back to it. */
export const doorTo = (locals: App.Locals, next: string | undefined): string =>
  linker(locals)(withNext(doors[sideOf(next)], next));

/** What the page of a door passes to its form: a door leads on to what is wanted, else home. */
export function doorOf(locals: App.Locals, url: URL, side: Side) {
  const [own, other, home] =
    side === 'seller'
      ? [doors.seller, doors.member, homes.seller]
      : [doors.member, doors.seller, homes.member];
  const to = linker(locals);
  const wanted = wantedOf(url);
  // On a page that fixes its language, what follows is in it too: it may have been changed since the address was written.
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
