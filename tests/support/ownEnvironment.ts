import { settingNames } from '../../api/ops/env.ts';

const isSetting = (name: string): boolean =>
  (settingNames.has(name) && name !== 'CHROMIUM') || name.startsWith('PG');

/** Environment for child processes, without the settings of any market or of Postgres clients. */
export const ownEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !isSetting(name)),
  ) as NodeJS.ProcessEnv;

/** Settings that lead to a market, its data or its people, unlike PORT or LOG_LEVEL. */
const leading = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATA_DIR',
  'PUBLIC_URL',
  'AUTH_SECRET',
  'SMTP_URL',
  'S3_BUCKET',
  'S3_ENDPOINT',
  'BACKUP_DIR',
  'BACKUP_S3_ENDPOINT',
  'TELEGRAM_BOT_TOKEN',
  'WHATSAPP_CLOUD_TOKEN',
  'WHATSAPP_WEB',
  'METRICS_TOKEN',
  'SENTRY_DSN',
];

export const leadsToMarket = (env: Record<string, string | undefined>): string[] => [
  ...leading.filter((name) => env[name]),
  ...(env.NODE_ENV === 'production' ? ['NODE_ENV=production'] : []),
];
