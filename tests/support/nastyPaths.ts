const slashes = ['//', '/\\', '\\/', '\\\\', '///', '/\\/', '/\t/', '/\n/', '/\r\n/', '/%2f', '/%2F/', '/%5c', '/%5C/', '/%09/', '/%0a/', '/%0d%0a/', '/%00/'];
const dots = ['/..//', '/.//', '/%2e//', '/%2e%2e//', '/%2E.//', '/.%2e//', '/../..//', '/a/..//', '/en/..//', '/a/%2e%2e//', '/..%2f/', '/..%5c/', '/.%09.//'];
const prefixed = ['/en//', '/fr//', '/fr/\\', '/fr/.//', '/en/fr/..//', '/en/%2f', '/fr%2f%2f', '/en/..//', '/./fr//'];
const twice = ['/%252f', '/%252f%252f', '/%255c', '/%25252f', '/%2525', '/%2e%2e%252f', '/..%252f/'];
const schemes = ['https://', 'http:', 'https:/', 'HTTPS:\\\\', 'javascript:alert(1)//', 'data:text/html,', 'ftp://', '//user@', '//user:pw@', 'blob:https://'];
const letters = [
  '\u2044/',
  '/\uff0f',
  '/\u2215/',
  '/\u0085/',
  '/\u00a0/',
  '/\ufeff/',
  '/\u2028/',
  '/\ud800/',
  '/\u202e/',
  '\u0000//',
  '\u0001//',
  ' //',
  '/ /',
  '/\u000b/',
];

/** Addresses that begin as a path of a site, or nearly so, and that some reader of them takes for the host `evil.example`. */
export const nastyPaths: readonly string[] = [...slashes, ...dots, ...prefixed, ...twice, ...schemes, ...letters].map((begin) => `${begin}evil.example`);
