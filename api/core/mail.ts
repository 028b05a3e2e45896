import { createTransport } from 'nodemailer';

/** `id` is the letter's own: the mail server sees it, so that one which is sent again can be known for the same. */
export type Mail = { id: string; to: string; subject: string; text: string; html: string };
/** Hands a mail to a server that accepts it, or throws with the server's words; at the latest when the signal says so. */
export type Mailer = { send(mail: Mail, signal?: AbortSignal): Promise<void>; close(): void };

/** How long a mail server may take, in milliseconds: to be reached, to greet, and between two signs of life (decision 021). */
export const patience = {
  connectionTimeout: 15_000,
  greetingTimeout: 30_000,
  socketTimeout: 120_000,
};

/** How many mails are under way at once, each on a connection of its own. */
export const mailsAtOnce = 5;

/** The domain of a sender's address, with or without a name ahead of it. */
export const senderDomain = (from: string): string | undefined =>
  /@([^\s>]+)>?\s*$/.exec(from)?.[1];

/** Mail over SMTP (decision 021). */
export function smtpMailer(url: string, from: string, limits = patience): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: mailsAtOnce,
    // A mail whose connection broke may have been accepted: when it is tried again is the outbox's affair.
    maxRequeues: 0,
    // Most servers hang up on a silent client after some minutes; the next mail must not be the one to find out.
    idleTimeout: 30_000,
    ...limits,
  } as never);
  const host = senderDomain(from) ?? 'localhost';
  return {
    async send({ id, ...mail }, signal) {
      await transport.sendMail({
        from,
        ...mail,
        messageId: `<${id}@${host}>`,
        ...(signal ? { signal } : {}),
      } as never);
    },
    close: () => transport.close(),
  };
}

/** Demo mode without SMTP: the mail stays in the outbox, where the outbox page shows it (decision 022). */
export const outboxPageMailer: Mailer = { async send() {}, close() {} };
