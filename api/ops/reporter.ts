import { randomUUID } from 'node:crypto';
import { redact } from '../shared/redact.ts';
import type { Log } from './log.ts';

type Report = {
  source: 'server' | 'browser';
  kind: 'error' | 'performance' | 'job' | 'alarm';
  /** An error by default; slow pages are warnings. */
  level?: 'info';
  message: string;
  stack?: string;
  requestId?: string;
  page?: string;
  extra?: Record<string, unknown>;
};
export type Reporter = { report(report: Report): void };

/**
 * Share of request and browser errors sent on (product §9, product §10). Failed jobs and alarms are
 * always sent, and logged by their callers.
 */
export const sampleRate = 0.1;

/** A job may fail every thirty seconds during an outage. */
export const sameReportMs = 10 * 60_000;

/** Connection failures and a harmless browser message (product §7 Error tracking). */
const ignored =
  /resizeobserver|network ?error|failed to fetch|load failed|networkerror when attempting|the network connection was lost/i;
export const isIgnored = (message: string): boolean => ignored.test(message);

type Options = {
  log: Log;
  dsn?: string | undefined;
  fetch?: typeof fetch;
  random?: () => number;
  now?: () => Date;
};

/**
 * Error tracking (product R41): logs reports and sends a sample to a Sentry-compatible address. A
 * plain request, because the SDK costs browsers 31 KB (decision 062).
 */
export function createReporter({
  log,
  dsn,
  fetch: send = fetch,
  random = Math.random,
  now = () => new Date(),
}: Options): Reporter {
  const target = dsn ? parseDsn(dsn) : undefined;
  const sentAt = new Map<string, number>();
  function isSent({ kind, message }: Report): boolean {
    if (kind === 'alarm') return true;
    if (kind !== 'job') return random() < sampleRate;
    const at = now().getTime();
    const age = at - (sentAt.get(message) ?? Number.NEGATIVE_INFINITY);
    if (age >= 0 && age < sameReportMs) return false;
    sentAt.set(message, at);
    return true;
  }
  return {
    report(report) {
      const operation = report.kind === 'job' || report.kind === 'alarm';
      if (!operation && isIgnored(report.message)) return;
      if (!operation)
        log[report.kind === 'performance' ? 'warn' : 'error'](
          `${report.source} ${report.kind}: ${report.message}`,
          {
            stack: report.stack,
            requestId: report.requestId,
            page: report.page,
            ...report.extra,
          },
        );
      if (!target || !isSent(report)) return;
      const eventId = randomUUID().replaceAll('-', '');
      const event = redact({
        event_id: eventId,
        timestamp: now().getTime() / 1000,
        platform: 'javascript',
        level: report.level ?? (report.kind === 'performance' ? 'warning' : 'error'),
        tags: { source: report.source, kind: report.kind, request: report.requestId },
        request: { url: report.page },
        exception: { values: [{ type: report.kind, value: report.message }] },
        extra: { stack: report.stack, ...report.extra },
      });
      const envelope = [
        { event_id: eventId, sent_at: now().toISOString() },
        { type: 'event' },
        event,
      ]
        .map((part) => JSON.stringify(part))
        .join('\n');
      send(target.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-sentry-envelope',
          'x-sentry-auth': `Sentry sentry_version=7, sentry_client=marche54/1, sentry_key=${target.key}`,
        },
        body: envelope,
      }).catch((error) => log.warn('A report could not be sent', { error }));
    },
  };
}

/** Reads `https://key@host/project`; throws when a part is missing. */
export function parseDsn(dsn: string): { url: string; key: string } {
  const { protocol, username, host, pathname } = new URL(dsn);
  const project = pathname.split('/').filter(Boolean).at(-1);
  if (!username || !project) throw new Error('SENTRY_DSN must look like https://key@host/project');
  const base = pathname.slice(0, pathname.lastIndexOf(project));
  return { url: `${protocol}//${host}${base}api/${project}/envelope/`, key: username };
}
