import { type Browser, type CDPSession, chromium, type Page } from 'playwright';
import { findBrowser, quietly } from '../../tests/support/chromium.ts';
import { onEnd } from '../testbed/program.ts';

/**
 * Accepts the self-signed certificate of slowNetwork.ts; set later, on a page, it costs another
 * connection.
 */
const ignoreCertificates = '--ignore-certificate-errors';

let shared: Promise<Browser> | undefined;
function browser(): Promise<Browser> {
  shared ??= findBrowser().then(async (executablePath) => {
    const launched = await chromium.launch({
      executablePath,
      handleSIGINT: false,
      args: [...quietly, ignoreCertificates],
    });
    onEnd(() => launched.close());
    return launched;
  });
  return shared;
}

export type Visit = {
  /** A phone's CPU and connection: four times slower, 400 kbps, 400 ms round trip. */
  slow?: boolean;
  saveData?: boolean;
  /** In CSS pixels; 360×740 by default. */
  viewport?: { width: number; height: number };
};
export type Visited = { page: Page; cdp: CDPSession; traffic: Traffic; close(): Promise<void> };
export type Traffic = {
  /** Finished requests with their bytes on the wire, headers included. */
  finished: { url: string; type: string; bytes: number }[];
  /** Settles when nothing was transferred for so long, event streams aside. */
  quiet(ms: number): Promise<void>;
};

/** A first visit on a phone: two device pixels per CSS pixel, French, an empty cache. */
export async function visit({
  slow = false,
  saveData = false,
  viewport = { width: 360, height: 740 },
}: Visit = {}): Promise<Visited> {
  const context = await (await browser()).newContext({
    viewport,
    deviceScaleFactor: 2,
    locale: 'fr-CM',
    timezoneId: 'Africa/Douala',
  });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Performance.enable');
  if (saveData) {
    await context.setExtraHTTPHeaders({ 'save-data': 'on' });
    await cdp
      .send('Emulation.setDataSaverOverride' as never, { dataSaverEnabled: true } as never)
      .catch(() => {});
  }
  if (slow) {
    await cdp.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 400,
      downloadThroughput: 50_000,
      uploadThroughput: 50_000,
    });
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  }
  return { page, cdp, traffic: listen(cdp), close: () => context.close() };
}

export function listen(cdp: CDPSession): Traffic {
  const open = new Map<string, { url: string; type: string }>();
  const finished: Traffic['finished'] = [];
  let moved: () => void = () => {};
  cdp.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    open.set(requestId, { url: request.url, type: type ?? 'Other' });
    moved();
  });
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    // An event stream never ends: not waited for.
    if (response.mimeType === 'text/event-stream') open.delete(requestId);
    moved();
  });
  cdp.on('Network.dataReceived', () => moved());
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = open.get(requestId);
    if (request) finished.push({ ...request, bytes: encodedDataLength });
    open.delete(requestId);
    moved();
  });
  cdp.on('Network.loadingFailed', ({ requestId }) => {
    open.delete(requestId);
    moved();
  });
  return {
    finished,
    quiet: (ms) =>
      new Promise((resolve) => {
        let timer: ReturnType<typeof setTimeout> | undefined;
        moved = () => {
          clearTimeout(timer);
          timer = setTimeout(() => (open.size === 0 ? resolve() : moved()), ms);
        };
        moved();
      }),
  };
}
