/** Letters of the longest address of a browser that is taken. */
export const longestEndpoint = 1000;
/** Browsers of one account that a message goes to, the newest ones. */
export const mostBrowsers = 10;
/** Letters of the text that a notification shows. */
export const longestText = 600;

/**
 * True for an address of a push service that the market knows. A browser names the address itself,
 * so without this anybody could have the server call any machine.
 * @param services host names; `*.` stands for any subdomain
 */
export function isKnownEndpoint(endpoint: string, services: readonly string[]): boolean {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  return (
    url !== undefined &&
    url.href.length <= longestEndpoint &&
    url.protocol === 'https:' &&
    url.port === '' &&
    url.username + url.password === '' &&
    services.some((service) =>
      service.startsWith('*.')
        ? url.hostname.endsWith(service.slice(1)) && url.hostname.length >= service.length
        : url.hostname === service,
    )
  );
}
