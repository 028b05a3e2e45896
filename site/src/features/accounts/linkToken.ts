/**
 * Token of a mailed link, read from the address on use. A page would keep it, so it is never
 * rendered.
 */
export const linkToken = (): string =>
  new URL(window.location.href).searchParams.get('token') ?? '';
