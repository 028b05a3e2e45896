import { createTransport } from 'nodemailer';

export type Mail = { to: string; subject: string; text: string; html: string };
/** Hands a mail to a server that accepts it, or throws with the server's words. */
export type Mailer = { send(mail: Mail): Promise<void>; close(): void };

/** Mail over SMTP (docs/decisions/mail.md). */
export function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport(url, { from, pool: true } as never);
  return {
    async send(mail) {
      await transport.sendMail({ from, ...mail });
    },
    close: () => transport.close(),
  } as Mailer;
}

/** Demo mode without SMTP: the mail stays in the outbox, where the outbox page shows it (decision 0). */
export const outboxPageMailer: Mailer = { async send() {}, close() {} };
