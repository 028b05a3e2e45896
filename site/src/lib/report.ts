/** Limits above which a figure is reported (product §9): milliseconds, and CLS's own unit. */
const thresholds = { LCP: 2500, FID: 100, CLS: 0.1, TTFB: 800, api: 1000 } as const;

type Report = {
  kind: 'error' | 'performance';
  message: string;
  stack?: string | undefined;
  page: string;
};

/** Never throws: a failed report must not become a second error. */
function send(report: Report): void {
  try {
    const { message, page, stack } = report;
    const sent = {
      ...report,
      message: message.slice(0, 500),
      page: page.slice(0, 500),
      stack: stack?.slice(0, 4000),
    };
    const body = new Blob([JSON.stringify(sent)], { type: 'application/json' });
    navigator.sendBeacon('/api/errors', body);
  } catch {
    // The page matters more than its report.
  }
}

const page = () => location.origin + location.pathname;

/** Network failures and a harmless browser message (product §7). The server drops them too. */
const ignored =
  /resizeobserver|network ?error|failed to fetch|load failed|network connection was lost/i;

export function reportError(error: unknown): void {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  if (!ignored.test(message))
    send({
      kind: 'error',
      message,
      page: page(),
      stack: error instanceof Error ? error.stack : undefined,
    });
}

/** Reports slow figures when the page is left (product R41), earlier entries included. */
export function watchFigures(): void {
  const figures: Partial<Record<keyof typeof thresholds, number>> = {};
  const observe = (type: string, read: (entry: PerformanceEntry) => void) => {
    try {
      new PerformanceObserver((list) => list.getEntries().forEach(read)).observe({
        type,
        buffered: true,
      });
    } catch {
      // Old browsers lack this entry type.
    }
  };
  observe('largest-contentful-paint', (entry) => {
    figures.LCP = entry.startTime;
  });
  observe('layout-shift', (entry) => {
    const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!shift.hadRecentInput) figures.CLS = (figures.CLS ?? 0) + shift.value;
  });
  observe('first-input', (entry) => {
    figures.FID = (entry as PerformanceEventTiming).processingStart - entry.startTime;
  });
  observe('navigation', (entry) => {
    figures.TTFB = (entry as PerformanceNavigationTiming).responseStart;
  });
  observe('resource', (entry) => {
    if (new URL(entry.name).pathname.startsWith('/api/'))
      figures.api = Math.max(figures.api ?? 0, entry.duration);
  });
  let told = false;
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'hidden' || told) return;
    told = true;
    const slow = Object.entries(figures).filter(
      ([name, value]) => value > thresholds[name as keyof typeof thresholds],
    );
    if (slow.length > 0)
      send({
        kind: 'performance',
        message: slow.map(([name, value]) => `${name} ${Number(value.toFixed(3))}`).join(', '),
        page: page(),
      });
  });
}
