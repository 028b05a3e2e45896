import { readEnv } from '../../api/ops/env.ts';

/**
 * Production-like, for the addresses in the HTML; sends nothing. Limits per address are lifted,
 * since the load comes from one.
 */
export const benchEnv = (dataDir: string) =>
  readEnv({
    NODE_ENV: 'test',
    DEMO: '0',
    LOAD_LIMITS: '10000',
    SMTP_URL: 'smtp://127.0.0.1:9',
    PUBLIC_URL: 'https://marche54.cm',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
  });
export const benchSecret = 'a key that signs nothing outside of this bench';
