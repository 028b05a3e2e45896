import { anyLanguage } from '../../locales/languages.ts';

/** Any host will do: a path that leads away from this one leads away from every other. */
const here = 'https://market.invalid';
/** Printable ASCII without a backslash, as addresses are written; the header of a redirect holds no other letters. */
const written = /^\/[!-[\]-~]*$/;
/** Read as a path by one and as another host by the next, also once the language is taken off. */
const leadsAway = new RegExp(`^(?:/(?:${anyLanguage}))?/[/\\\\]`);
/** Slashes, backslashes, control characters and percent signs, encoded: a reader that decodes once more gets another address. */
const disguised = /%(?:2f|5c|25|[01][\da-f]|7f)/i;

/**
 * The address to go on to as a browser resolves it, when it is a path of this site; undefined for any other, which would be a way to lead
 * people away. Browsers read a backslash as a slash, drop tabs and line breaks, and take `.` and `..` out: `/\x`, `/<tab>/x` and `/..//x`
 * all end as `//x`, another host.
 */
export function resolvedPath(path: string | null | undefined): string | undefined {
  if (!path || !written.test(path) || leadsAway.test(path) || !URL.canParse(path, here))
    return undefined;
  const { origin, username, password, pathname, search, hash } = new URL(path, here);
  if (
    origin !== here ||
    username ||
    password ||
    leadsAway.test(pathname) ||
    disguised.test(pathname)
  )
    return undefined;
  return pathname + search + hash;
}

export const isOwnPath = (path: string): boolean => resolvedPath(path) !== undefined;

/** The path as it is resolved, when it is one of this site; another one otherwise. */
export const ownPath = (path: string | null | undefined, otherwise = '/'): string =>
  resolvedPath(path) ?? otherwise;
