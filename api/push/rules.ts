/** A session's browser, as its page and its worker read it. */
export type OwnPush = {
  /** Key to subscribe with; null if the market sends nothing to browsers. */
  key: string | null;
  /** This session's browser is subscribed. */
  here: boolean;
  /** No message is sent, as its person wrote STOP in a chat or switched these messages off. */
  silent: boolean;
};

/** Letters of the longest address of a browser that is taken. */
export const longestEndpoint = 1000;
/** Browsers of one account that a message goes to, the newest ones. */
export const mostBrowsers = 10;
/** Letters of a notification, whose message has room for 3,993 bytes. */
export const longest = { title: 120, body: 400, path: 600 } as const;

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
