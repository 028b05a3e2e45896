import { anyLanguage } from '../../locales/languages.ts';

/** Any host works: a path that leaves it leaves every other. */
const here = 'https://market.invalid';
/** Printable ASCII without a backslash, safe for a `location` header. */
const written = /^\/[!-[\]-~]*$/;
/** `//` names another host, also once the language prefix is removed. */
const leadsAway = new RegExp(`^(?:/(?:${anyLanguage}))?/[/\\\\]`);
/**
 * Encoded slashes, backslashes, controls and percent signs: decoding twice yields another address.
 */
const disguised = /%(?:2f|5c|25|[01][\da-f]|7f)/i;

/**
 * A path as browsers resolve it, or undefined when it leaves this site (open redirect). They read
 * `\` as `/`, drop tabs and line breaks and resolve dots: `/\x`, `/<tab>/x` and `/..//x` all become
 * `//x`, another host.
 */
export function resolvedPath(path: string | null | undefined): string | undefined {
  if (!path || !written.test(path) || leadsAway.test(path)) return undefined;
  const url = parsed(path);
  if (!url) return undefined;
  const { origin, username, password, pathname, search, hash } = url;
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

/** `URL.canParse` is younger than our oldest browsers. */
function parsed(path: string): URL | undefined {
  try {
    return new URL(path, here);
  } catch {
    return undefined;
  }
}

export const isOwnPath = (path: string): boolean => resolvedPath(path) !== undefined;

export const ownPath = (path: string | null | undefined, otherwise = '/'): string =>
  resolvedPath(path) ?? otherwise;
