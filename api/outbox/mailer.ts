import { createTransport } from 'nodemailer';
import { marketName } from '../../locales/index.ts';
import type { Mailer } from '../core/ports.ts';

/** Milliseconds to connect, to greet and between two replies (decision 021). */
export const patience = {
  connectionTimeout: 15_000,
  greetingTimeout: 30_000,
  socketTimeout: 120_000,
};

export const mailsAtOnce = 5;

export const senderDomain = (from: string): string | undefined =>
  /@([^\s>]+)>?\s*$/.exec(from)?.[1];

/**
 * Mail over SMTP (decision 021).
 * @param from an address, sent with the market's name unless it has one of its own
 */
export function smtpMailer(url: string, from: string, limits = patience): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: mailsAtOnce,
    // A mail whose connection broke may have been accepted; only the outbox decides on a retry.
    maxRequeues: 0,
    // Most servers drop idle clients after minutes; the next mail must not hit that.
    idleTimeout: 30_000,
    ...limits,
  } as never);
  const host = senderDomain(from) ?? 'localhost';
  const sender = () => (from.includes('<') ? from : { name: marketName(), address: from.trim() });
  return {
    async send({ id, unsubscribe, ...mail }, signal) {
      await transport.sendMail({
        from: sender(),
        ...mail,
        messageId: `<${id}@${host}>`,
        ...(unsubscribe && {
          headers: {
            'List-Unsubscribe': `<${unsubscribe}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          },
        }),
        ...(signal ? { signal } : {}),
      } as never);
    },
    close: () => transport.close(),
  };
}

/** Demo without SMTP: mail stays in the outbox, whose page shows it (decision 022). */
export const outboxPageMailer: Mailer = { async send() {}, close() {} };
