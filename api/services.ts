import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createProvider } from './auth/google/provider.ts';
import type { Services } from './core/context.ts';
import type { DemoProvider } from './core/demoPorts.ts';
import type { SignInProvider } from './core/ports.ts';
import { createDemoNetwork } from './demo/network.ts';
import { createDemoProvider } from './demo/signInProvider.ts';
import { createLoad } from './http/load.ts';
import { systemDns } from './ops/dns.ts';
import type { Env } from './ops/env.ts';
import { createLog, type Log, repeatSeconds } from './ops/log.ts';
import { createMetrics } from './ops/metrics.ts';
import { createReporter } from './ops/reporter.ts';
import { diskStorage, s3Storage } from './ops/storage.ts';
import { outboxPageMailer, smtpMailer } from './outbox/mailer.ts';
import { cash, simulation } from './payments/adapters.ts';
import { nameAt, pawapay } from './payments/pawapay/adapter.ts';
import { createPictures } from './pictures/pictures.ts';
import { cutEnd } from './shared/cutEnd.ts';
import { createReception } from './uploads/reception.ts';

/** Google if configured; the demo has its own provider. */
export function signInWith(env: Env): {
  google: SignInProvider | undefined;
  demoProvider: DemoProvider | undefined;
} {
  const {
    GOOGLE_ISSUER: issuer,
    GOOGLE_CLIENT_ID: clientId,
    GOOGLE_CLIENT_SECRET: clientSecret,
  } = env;
  if (clientId && clientSecret)
    return { google: createProvider({ issuer, clientId, clientSecret }), demoProvider: undefined };
  const demoProvider = env.demo ? createDemoProvider(env.publicUrl) : undefined;
  return { google: demoProvider && createProvider(demoProvider), demoProvider };
}

/** The demo's chat, without a Telegram bot. */
export const demoNetworkIn = ({ demo, TELEGRAM_BOT_TOKEN }: Env) =>
  demo && !TELEGRAM_BOT_TOKEN ? createDemoNetwork() : undefined;

/** Infinite if the system does not say. */
function mostDescriptors(): number {
  try {
    return Number(
      /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ??
        Number.POSITIVE_INFINITY,
    );
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

const mobileMoney = ({ PAWAPAY_BASE, publicUrl }: Env, token: string, log: Log) => {
  const base = cutEnd(PAWAPAY_BASE, /\//);
  return pawapay({
    ...{ base, token },
    callbackUrl: `${publicUrl}/api/payments/${nameAt(base)}/callback`,
    warn: (message, details) => log.error(message, details),
  });
};

export const equalTimeMs = 400;

export function createServices(
  env: Env,
  secret: string,
  leaving = new AbortController().signal,
): Services {
  const {
    S3_BUCKET: bucket,
    S3_ENDPOINT: endpoint,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = env;
  const log = createLog({ level: env.LOG_LEVEL, everySeconds: repeatSeconds });
  return {
    env,
    secret,
    equalTimeMs,
    startedAt: new Date(),
    leaving,
    ...signInWith(env),
    demoNetwork: demoNetworkIn(env),
    log,
    load: createLoad(env, mostDescriptors()),
    reporter: createReporter({ log, dsn: env.SENTRY_DSN }),
    metrics: createMetrics(),
    storage:
      bucket && endpoint && accessKeyId && secretAccessKey
        ? s3Storage({ bucket, endpoint, region: env.S3_REGION, accessKeyId, secretAccessKey })
        : diskStorage(join(resolve(env.DATA_DIR), 'uploads')),
    pictures: createPictures({
      jobMs: env.PICTURE_SECONDS * 1000,
      memoryBytes: env.PICTURE_MEMORY_MB * 1024 * 1024,
    }),
    reception: createReception({
      perHour: env.UPLOADS_PER_HOUR,
      bytes: env.UPLOADS_RECEIVING_MB * 1024 * 1024,
    }),
    // The simulation's credits cost nothing: it is the demo's alone (product R0).
    payments: [
      ...(env.PAWAPAY_TOKEN ? [mobileMoney(env, env.PAWAPAY_TOKEN, log)] : []),
      env.demo ? simulation : cash,
    ],
    dns: systemDns(),
    pushFetch: fetch,
    mailer: env.SMTP_URL ? smtpMailer(env.SMTP_URL, env.MAIL_FROM) : outboxPageMailer,
  };
}
