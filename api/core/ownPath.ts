/**
 * An address to go on to, as a request or a link names it, when it is a path of this site: any other would be a way to lead people away.
 * Browsers read a backslash as a slash and drop tabs and line breaks: `/\x` and `/<tab>/x` are `//x`. Letters beyond ASCII are encoded, as
 * addresses have them; the header of a redirect holds no others.
 */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])[!-[\]-~]*$/.test(path);

/** The path, when it is one of this site; another one otherwise. */
export const ownPath = (path: string | null | undefined, otherwise = '/'): string => (path && isOwnPath(path) ? path : otherwise);
