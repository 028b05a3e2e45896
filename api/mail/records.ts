import { domainToASCII } from 'node:url';
import { requireAdmin } from '../core/access.ts';
import type { Ctx, Services } from '../core/context.ts';
import { senderDomain } from '../outbox/mailer.ts';
import { within } from '../shared/within.ts';
import {
  dmarcDomains,
  dmarcOf,
  isPublicDomain,
  type Judged,
  judgeDkim,
  judgeDmarc,
  judgeSpf,
} from './rules.ts';

type Named = Judged & { name: string };
type Records =
  | { state: 'asked'; domain: string; checkedAt: string; spf: Named; dmarc: Named; dkim: Named[] }
  | { state: 'noMail' | 'noDomain'; domain: string | null };

/** Bad results may just have been mended. */
const keptMs = { good: 10 * 60_000, bad: 60_000 } as const;
/** For all queries of one lookup. */
const limitMs = 5000;

type Kept = { until: number; records: Records };
const kept = new WeakMap<Services, Kept>();
const under = new WeakMap<Services, Promise<Records>>();

/**
 * Reads SPF, DKIM and DMARC of MAIL_FROM's domain (decision 021); concurrent callers share one
 * lookup.
 */
export async function senderRecords(ctx: Ctx): Promise<Records> {
  requireAdmin(ctx);
  const { services } = ctx;
  const { SMTP_URL: smtp, MAIL_FROM: from } = services.env;
  const domain = domainToASCII(senderDomain(from)?.toLowerCase() ?? '');
  if (!smtp) return { state: 'noMail', domain: domain || null };
  if (!isPublicDomain(domain)) return { state: 'noDomain', domain: domain || null };
  const before = kept.get(services);
  if (
    before &&
    Math.abs(before.until - ctx.now().getTime()) <= keptMs.good &&
    before.until > ctx.now().getTime()
  )
    return before.records;
  const asked = under.get(services) ?? look(ctx, domain).finally(() => under.delete(services));
  under.set(services, asked);
  return asked;
}

async function look(ctx: Ctx, domain: string): Promise<Records> {
  const { env } = ctx.services;
  const ask = asker(ctx);
  const selectors = env.MAIL_DKIM_SELECTORS;
  const [spf, dmarc, ...dkim] = await Promise.all([
    judged(domain, () => ask(domain).then(judgeSpf)),
    findDmarc(domain, ask),
    ...selectors.map((selector) =>
      judged(`${selector}._domainkey.${domain}`, (name) => ask(name).then(judgeDkim)),
    ),
  ]);
  const found =
    selectors.length > 0
      ? dkim
      : [{ name: `*._domainkey.${domain}`, state: 'unnamed' as const, record: null }];
  const good = [spf, dmarc, ...found].every(({ state }) => state === 'found');
  const records: Records = {
    state: 'asked',
    domain,
    checkedAt: ctx.now().toISOString(),
    spf,
    dmarc,
    dkim: found,
  };
  kept.set(ctx.services, {
    until: ctx.now().getTime() + (good ? keptMs.good : keptMs.bad),
    records,
  });
  return records;
}

type Ask = (name: string) => Promise<string[]>;

function asker({ services: { dns, log } }: Ctx): Ask {
  const end = performance.now() + limitMs;
  return async (name) => {
    try {
      return await within(Math.max(1, end - performance.now()), dns.txt(name));
    } catch (error) {
      log.warn('The name system could not be asked', { name, error });
      throw error;
    }
  };
}

async function judged(name: string, judge: (name: string) => Promise<Judged>): Promise<Named> {
  return {
    name,
    ...(await judge(name).catch(() => ({ state: 'unreachable' as const, record: null }))),
  };
}

/** The domain's own record, else that of its nearest parent. */
async function findDmarc(domain: string, ask: Ask): Promise<Named> {
  for (const at of dmarcDomains(domain)) {
    const name = `_dmarc.${at}`;
    const found = await judged(name, async () => {
      const records = dmarcOf(await ask(name));
      return judgeDmarc(records, at !== domain);
    });
    if (found.state !== 'missing') return found;
  }
  return { name: `_dmarc.${domain}`, state: 'missing', record: null };
}
