/** The token of a mailed link. It stays in the address alone, and is read when it is needed: nowhere in a page, where it would be kept. */
export const linkToken = (): string =>
  new URL(window.location.href).searchParams.get('token') ?? '';
