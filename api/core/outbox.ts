import { and, asc, eq, lte, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import type { Key, Params } from '../../locales/keys.ts';
import type { Language } from '../../locales/languages.ts';
import type { Ctx } from './context.ts';
import { escapeHtml } from './html.ts';
import { inTransaction } from './transaction.ts';

type MailGroups = (typeof dictionaries)['en']['mail'];
/** Every mail that the product sends: a group of `mail.json` with a subject. */
export type MailKind = { [K in keyof MailGroups]: MailGroups[K] extends { subject: string } ? K : never }[keyof MailGroups];

type Letter = { to: string; name: string; language: Language; kind: MailKind; params?: Params; link?: string; sellerId?: string | null };

/**
 * Writes a mail to the outbox, in the transaction of what it tells (decision 25). Delivery follows when that transaction has
 * committed; a rollback takes the mail with it.
 */
export async function writeMail(ctx: Ctx, letter: Letter): Promise<void> {
  const { subject, text, html } = compose(letter);
  await ctx.db.insert(schema.outbox).values({
    channel: 'email',
    recipient: letter.to,
    language: letter.language,
    kind: letter.kind,
    subject,
    bodyText: text,
    bodyHtml: html,
    sellerId: letter.sellerId ?? null,
    nextAttemptAt: ctx.now(),
    createdAt: ctx.now(),
  });
}

/** Composes subject, plain text and HTML of a mail from `mail.json`. */
export function compose({ name, language, kind, params = {}, link }: Omit<Letter, 'to'>): { subject: string; text: string; html: string } {
  const sentence = translator(language, 'mail');
  const say = (key: string) => sentence(key as Key<'mail'>, { ...params, name });
  const group = dictionaries[language].mail[kind] as Record<string, string>;
  // A line about something that this mail does not have (a fee where none is tracked) is left out.
  const known = (line: string) => [...line.matchAll(/\{\{(\w+)\}\}/g)].every(([, param]) => param === 'name' || params[param as string] !== undefined);
  const lines = Object.keys(group)
    .filter((key) => /^line\d+$/.test(key) && known(group[key] as string))
    .sort()
    .map((key) => say(`${kind}.${key}`));
  const greeting = say(name ? 'common.greeting' : 'common.greetingNoName');
  const signature = say('common.signature');
  const hint = say('common.linkHint');
  const footer = say('common.footer');
  const action = link && group.action ? say(`${kind}.action`) : undefined;
  const text = [greeting, ...lines, ...(link ? [action ? `${action}\n${link}` : link] : []), `${signature}\n${footer}`].join('\n\n');
  const button = link
    ? `<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;background:#b8371f;color:#fff;text-decoration:none;border-radius:6px">${escapeHtml(action ?? link)}</a></p><p style="color:#555;font-size:13px;word-break:break-all">${escapeHtml(hint)}<br>${escapeHtml(link)}</p>`
    : '';
  const html = `<!doctype html><html lang="${language}"><body style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1d1f3a;max-width:560px;margin:0 auto;padding:24px">${[greeting, ...lines].map((line) => `<p>${escapeHtml(line)}</p>`).join('')}${button}<p>${escapeHtml(signature)}</p><p style="color:#555;font-size:13px">${escapeHtml(footer)}</p></body></html>`;
  return { subject: say(`${kind}.subject`), text, html };
}

const maxAttempts = 8;
/** Wait before attempt n+1: 30 s, 1, 2, 4 … minutes. */
const backoffMs = (attempts: number) => 30_000 * 2 ** (attempts - 1);

/**
 * Delivers what waits: each message is locked while it is sent, so two processes never send it twice at once; a failure is
 * kept with its reason and tried again later, eight times. Returns how many were accepted and how many failed this time.
 */
export async function deliverOutbox(ctx: Ctx, { limit = 50 } = {}): Promise<{ sent: number; failed: number }> {
  const result = { sent: 0, failed: 0 };
  for (let i = 0; i < limit; i++) {
    const outcome = await inTransaction(ctx, async (tx) => {
      const { outbox } = schema;
      const [message] = await tx.db
        .select()
        .from(outbox)
        .where(and(eq(outbox.state, 'waiting'), eq(outbox.channel, 'email'), lte(outbox.nextAttemptAt, tx.now())))
        .orderBy(asc(outbox.nextAttemptAt), asc(outbox.turn))
        .limit(1)
        .for('update', { skipLocked: true });
      if (!message) return undefined;
      const attempts = message.attempts + 1;
      const mine = eq(outbox.id, message.id);
      try {
        await tx.services.mailer.send({ to: message.recipient, subject: message.subject, text: message.bodyText, html: message.bodyHtml });
      } catch (error) {
        const given = attempts >= maxAttempts;
        await tx.db
          .update(outbox)
          .set({
            attempts,
            lastError: String(error instanceof Error ? error.message : error).slice(0, 500),
            state: given ? 'failed' : 'waiting',
            nextAttemptAt: new Date(tx.now().getTime() + backoffMs(attempts)),
          })
          .where(mine);
        tx.services.log.warn('A message could not be delivered', { id: message.id, kind: message.kind, attempts, error });
        return 'failed' as const;
      }
      await tx.db.update(outbox).set({ attempts, state: 'sent', sentAt: tx.now(), lastError: null }).where(mine);
      return 'sent' as const;
    });
    if (!outcome) break;
    result[outcome]++;
  }
  return result;
}

/** How many messages wait or were given up, for the health tab. */
export async function outboxBacklog(ctx: Ctx): Promise<{ waiting: number; failed: number }> {
  const { outbox } = schema;
  const [row] = await ctx.db
    .select({
      waiting: sql<number>`count(*) filter (where ${outbox.state} = 'waiting')::int`,
      failed: sql<number>`count(*) filter (where ${outbox.state} = 'failed')::int`,
    })
    .from(outbox);
  return row ?? { waiting: 0, failed: 0 };
}
