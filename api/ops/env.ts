import { bech32 } from '@scure/base';
import * as z from 'zod';
import { cutEnd } from '../shared/cutEnd.ts';
import { logLevels } from './log.ts';
import { networksIn } from './networks.ts';

const port = z.coerce.number().int().min(0).max(65535);
const flag = z.enum(['0', '1']).transform((value) => value === '1');
const address = (...protocols: string[]) =>
  z.string().refine(
    (value) => {
      try {
        return protocols.includes(new URL(value).protocol);
      } catch {
        return false;
      }
    },
    `must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
  );

/** Pages and routes; timetable and mail; the bot's conversation. */
const allRoles = ['web', 'jobs', 'bot'] as const;
type Role = (typeof allRoles)[number];
const namesOf = (list: string) => list.split(',').map((name) => name.trim());
const isRole = (name: string): name is Role => (allRoles as readonly string[]).includes(name);
const roles = z
  .string()
  .refine(
    (list) => namesOf(list).every(isRole),
    `must name parts of the market: ${allRoles.join(', ')}, with commas between them`,
  )
  .transform((list) => namesOf(list).filter(isRole));

const backupPlace = z
  .string()
  .min(1)
  .max(1000)
  .refine(
    (place) =>
      !place.startsWith('s3:') ||
      /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w.-]+)*\/?$/.test(place),
    'must be a folder, or a bucket: s3://name-of-the-bucket/folder',
  );
const isRecipient = (key: string): boolean => {
  const { prefix, bytes } = bech32.decodeUnsafe(key)
    ? bech32.decodeToBytes(key)
    : { prefix: '', bytes: [] };
  return prefix === 'age' && bytes.length === 32;
};
const keysOf = (list: string) => [...new Set(list.split(/[\s,]/).filter(Boolean))];
const recipients = z
  .string()
  .max(10_000)
  .refine(
    (list) => !/AGE-SECRET-KEY-/i.test(list),
    'holds a private key, which must never be on this machine. Make a new pair, and use its public key (age1…)',
  )
  .refine(
    (list) => keysOf(list).every(isRecipient),
    'must be public keys of age (age1…), with commas between them; one of these is mistyped',
  )
  .transform(keysOf);

const proxies = z
  .string()
  .max(20_000)
  .transform((list, ctx) => {
    const networks = networksIn(keysOf(list));
    if (!networks)
      ctx.addIssue('must be addresses or networks (203.0.113.0/24), with commas between them');
    return networks ?? z.NEVER;
  });

const schema = z
  .object({
    NODE_ENV: z.enum(['development', 'test', 'production']).optional(),
    PORT: port.default(5454),
    HOST: z.string().min(1).optional(),
    DATA_DIR: z.string().min(1).default('.data'),
    DATABASE_URL: address('postgres:', 'postgresql:').optional(),
    DATABASE_DIRECT_URL: address('postgres:', 'postgresql:').optional(),
    PUBLIC_URL: address('http:', 'https:').optional(),
    DEMO: flag.optional(),
    ROLES: roles.optional(),
    JOBS: flag.default(true),
    AUTH_SECRET: z.string().min(32).optional(),
    SMTP_URL: address('smtp:', 'smtps:').optional(),
    MAIL_DKIM_SELECTORS: z
      .string()
      .transform((list) => namesOf(list))
      .pipe(
        z
          .array(
            z
              .string()
              .regex(
                /^[a-z\d](?:[a-z\d.-]{0,61}[a-z\d])?$/i,
                'must name selectors, with commas between them, like mail,mail2',
              ),
          )
          .max(10),
      )
      .default([]),
    MAIL_FROM: z.string().min(3).default('market@localhost'),
    S3_BUCKET: z.string().min(1).optional(),
    S3_ENDPOINT: address('http:', 'https:').optional(),
    S3_REGION: z.string().min(1).default('us-east-1'),
    S3_ACCESS_KEY_ID: z.string().min(1).optional(),
    S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
    BACKUP_DIR: backupPlace.optional(),
    BACKUP_RECIPIENTS: recipients.default([]),
    BACKUP_S3_ENDPOINT: address('http:', 'https:').optional(),
    BACKUP_S3_REGION: z.string().min(1).optional(),
    BACKUP_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
    BACKUP_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
    BACKUP_DAYS: z.coerce.number().int().min(1).max(3650).default(14),
    BACKUP_MINUTES: z.coerce.number().int().min(1).max(1440).default(120),
    BACKUP_KEY: z.string().min(16).optional(),
    CHAT_UNUSED_DAYS: z.coerce.number().int().min(7).max(3650).default(60),
    LOG_LEVEL: z.enum(logLevels).default('warn'),
    GOOGLE_CLIENT_ID: z.string().min(1).optional(),
    GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
    GOOGLE_ISSUER: address('http:', 'https:').default('https://accounts.google.com'),
    TELEGRAM_BOT_TOKEN: z
      .string()
      .regex(/^\d{1,20}:[\w-]{20,}$/, 'must be the token that BotFather gave, like 123456:ABC…')
      .optional(),
    TELEGRAM_WEBHOOK: flag.default(false),
    TELEGRAM_WEBHOOK_SECRET: z
      .string()
      .regex(/^[\w-]{24,256}$/, 'must be 24 to 256 letters, digits, - and _')
      .optional(),
    TELEGRAM_API_ROOT: address('http:', 'https:').default('https://api.telegram.org'),
    WHATSAPP_CLOUD_TOKEN: z.string().min(20).optional(),
    WHATSAPP_CLOUD_PHONE_ID: z
      .string()
      .regex(/^\d{5,30}$/, 'must be the id of the phone number (digits), not the number')
      .optional(),
    WHATSAPP_CLOUD_APP_SECRET: z.string().min(16).optional(),
    WHATSAPP_CLOUD_VERIFY_TOKEN: z
      .string()
      .regex(/^[\w-]{16,256}$/, 'must be 16 to 256 letters, digits, - and _')
      .optional(),
    WHATSAPP_CLOUD_TEMPLATE: z
      .string()
      .regex(/^[a-z\d_]{1,512}$/, 'must be the name of a template: small letters, digits and _')
      .optional(),
    WHATSAPP_CLOUD_API_ROOT: address('http:', 'https:').default('https://graph.facebook.com/v25.0'),
    WHATSAPP_WEB: flag.default(false),
    CHROMIUM: z.string().min(1).optional(),
    TELEGRAM_BOT_NAME: z
      .string()
      .regex(/^@?\w{5,32}$/, 'must be the user name of the bot, like Marche54Bot')
      .transform((name) => name.replace('@', ''))
      .optional(),
    WHATSAPP_NUMBER: z
      .string()
      .transform((number) => number.replaceAll(/[\s+().-]/g, ''))
      .pipe(
        z
          .string()
          .regex(
            /^[1-9]\d{6,14}$/,
            'must be the number of the bot with its country code, like +237699000000',
          ),
      )
      .optional(),
    PAWAPAY_TOKEN: z.string().min(20).optional(),
    PAWAPAY_BASE: address('http:', 'https:').default('https://api.pawapay.io'),
    PUSH_SERVICES: z
      .string()
      .default(
        'fcm.googleapis.com,updates.push.services.mozilla.com,*.push.apple.com,*.notify.windows.com',
      )
      .transform((list) => (list === 'none' ? [] : namesOf(list)))
      .refine(
        (hosts) =>
          hosts.every((host) => /^(?:\*\.)?[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,9}$/.test(host)),
        'must be none, or host names with commas between them, like fcm.googleapis.com or *.push.apple.com',
      ),
    SENTRY_DSN: address('http:', 'https:').optional(),
    TRUST_PROXY: flag.default(false),
    TRUSTED_PROXIES: proxies.optional(),
    LOAD_LIMITS: z.coerce.number().min(0.1).max(10_000).default(1),
    UPLOADS_PER_HOUR: z.coerce.number().int().min(1).max(100_000).default(120),
    UPLOADS_RECEIVING_MB: z.coerce.number().int().min(10).max(10_000).default(128),
    PICTURE_SECONDS: z.coerce.number().int().min(1).max(25).default(20),
    PICTURE_MEMORY_MB: z.coerce.number().int().min(200).max(10_000).default(768),
    SHARE_PORT: flag.default(false),
    DRAIN_SECONDS: z.coerce.number().min(0).max(300).default(0),
    METRICS_TOKEN: z
      .string()
      .regex(/^[\w-]{24,256}$/, 'must be 24 to 256 letters, digits, - and _')
      .optional(),
    REQUEST_DEADLINE_SECONDS: z.coerce.number().positive().max(300).default(15),
  })
  .transform((env) => {
    const production = env.NODE_ENV === 'production';
    // product R0: the embedded database is the demo; a real database or production is not, unless
    // DEMO is set.
    const demo = env.DEMO ?? (!env.DATABASE_URL && !production);
    // The demo has no access control (decision 022), so by default only this machine reaches it.
    const HOST = env.HOST ?? (demo ? '127.0.0.1' : '0.0.0.0');
    /** Chat transports; the demo's chat takes Telegram's place. */
    const networks: ('telegram' | 'whatsapp')[] = [
      ...(env.TELEGRAM_BOT_TOKEN || demo ? (['telegram'] as const) : []),
      ...(env.WHATSAPP_CLOUD_TOKEN || env.WHATSAPP_WEB ? (['whatsapp'] as const) : []),
    ];
    const own: ReadonlySet<Role> = new Set(env.ROLES ?? (env.JOBS ? allRoles : ['web' as const]));
    return {
      ...env,
      HOST,
      production,
      demo,
      networks,
      roles: own,
      publicUrl: cutEnd(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`, /\//),
    };
  });

export const settingNames: ReadonlySet<string> = new Set(Object.keys(schema.in.shape));

/** True for an https address that is not this machine's. */
function isDistant(address = 'https://api.pawapay.io'): boolean {
  if (!URL.canParse(address)) return true;
  const { protocol, hostname } = new URL(address);
  return (
    protocol === 'https:' &&
    !/^(?:localhost|.*\.localhost|127\..*|0\.0\.0\.0|\[::1?\]|\[::ffff:.*\])$/.test(hostname)
  );
}

/** Reads raw input, so that missing settings are reported together with invalid ones. */
function missing(given: Record<string, string | undefined>): string[] {
  const demo =
    given.DEMO === '1' ||
    (given.DEMO === undefined && !given.DATABASE_URL && given.NODE_ENV !== 'production');
  const problems: string[] = [];
  if (!demo && !given.SMTP_URL)
    problems.push(
      'SMTP_URL: is needed outside demo mode: verification and password mails must reach people',
    );
  if (!demo && !given.PUBLIC_URL)
    problems.push('PUBLIC_URL: is needed outside demo mode: the links in mails point to it');
  if (given.TRUSTED_PROXIES && given.TRUST_PROXY !== '1')
    problems.push('TRUST_PROXY: must be 1 beside TRUSTED_PROXIES, which names further proxies');
  if (given.JOBS === '0' && namesOf(given.ROLES ?? '').includes('jobs'))
    problems.push('ROLES: names jobs, which JOBS=0 switches off: set one of the two');
  if (given.DATABASE_DIRECT_URL && !given.DATABASE_URL)
    problems.push(
      'DATABASE_URL: is needed beside DATABASE_DIRECT_URL, which is the way around its pooler',
    );
  if (given.S3_BUCKET)
    for (const name of ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
      if (!given[name]) problems.push(`${name}: is needed beside S3_BUCKET`);
  if (given.BACKUP_DIR?.startsWith('s3:')) {
    if (!given.BACKUP_RECIPIENTS)
      problems.push(
        'BACKUP_RECIPIENTS: is needed beside a bucket in BACKUP_DIR: backups leave this machine encrypted, or not at all',
      );
    const names = ['ENDPOINT', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'].map((name) => `S3_${name}`);
    const own = names.some((name) => given[`BACKUP_${name}`]);
    for (const name of names)
      if (!given[`BACKUP_${name}`] && (own || !given[name]))
        problems.push(`BACKUP_${name}: is needed beside a bucket in BACKUP_DIR`);
  }
  if (given.BACKUP_RECIPIENTS && !given.BACKUP_KEY)
    problems.push(
      'BACKUP_KEY: is needed beside BACKUP_RECIPIENTS: anybody can encrypt to a public key, and only the signature tells your backups from forged ones',
    );
  if (!given.GOOGLE_CLIENT_ID !== !given.GOOGLE_CLIENT_SECRET)
    problems.push(
      'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET: only the two together switch on the sign-in with Google',
    );
  if (given.TELEGRAM_WEBHOOK === '1' && !given.TELEGRAM_WEBHOOK_SECRET)
    problems.push(
      'TELEGRAM_WEBHOOK_SECRET: is needed beside TELEGRAM_WEBHOOK=1: without it anybody could speak for Telegram',
    );
  if (given.PAWAPAY_TOKEN && given.NODE_ENV === 'production' && !isDistant(given.PAWAPAY_BASE))
    problems.push(
      'PAWAPAY_BASE: must start with https:// and lead to another machine in production: money is asked for there',
    );
  const cloud = [
    'WHATSAPP_CLOUD_TOKEN',
    'WHATSAPP_CLOUD_PHONE_ID',
    'WHATSAPP_CLOUD_APP_SECRET',
    'WHATSAPP_CLOUD_VERIFY_TOKEN',
  ];
  if (cloud.some((name) => given[name]))
    for (const name of cloud)
      if (!given[name])
        problems.push(`${name}: is needed beside the other WHATSAPP_CLOUD_ settings`);
  if (given.WHATSAPP_WEB === '1' && given.WHATSAPP_CLOUD_TOKEN)
    problems.push(
      'WHATSAPP_WEB and WHATSAPP_CLOUD_TOKEN: only one of them; a chat on WhatsApp has one sender',
    );
  return problems;
}

export type Env = z.output<typeof schema>;

export class BadEnvironment extends Error {
  override name = 'BadEnvironment';
  constructor(readonly problems: string[]) {
    super(
      `The environment cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}\nSee .env.example for what each setting means.`,
    );
  }
}

/** Empty values count as unset. Throws {@link BadEnvironment} with all problems. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = schema.safeParse(given);
  const wrong = result.success
    ? []
    : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  const problems = [...wrong, ...missing(given)];
  if (!result.success || problems.length > 0) throw new BadEnvironment(problems);
  return result.data;
}
