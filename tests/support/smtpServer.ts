import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export type ReceivedMail = {
  id: string;
  to: string;
  from: string;
  /** Of the sender. */
  name: string;
  subject: string;
  text: string;
  html: string;
};

/**
 * Starts an SMTP server that keeps its letters.
 * @param answer awaited before a letter is accepted; a rejection refuses it
 */
export async function smtpServer(
  answer: (message: ReceivedMail) => Promise<void> | void = () => {},
): Promise<{
  url: string;
  mails: ReceivedMail[];
  lastTo(address: string): ReceivedMail;
  close(): Promise<void>;
}> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const accept = async () => {
          const mail = await PostalMime.parse(Buffer.concat(chunks));
          const to = session.envelope.rcptTo[0]?.address ?? '';
          const { messageId = '', subject = '', text = '', html = '' } = mail;
          const message = {
            id: messageId,
            to,
            from: mail.from?.address ?? '',
            name: mail.from?.name ?? '',
            subject,
            text,
            html,
          };
          await answer(message);
          mails.push(message);
        };
        accept().then(() => done(), done);
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  if (!address || typeof address === 'string') throw new Error('The letter box has no port');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    lastTo(to) {
      const last = mails.filter((message) => message.to === to).at(-1);
      if (!last) throw new Error(`No mail has reached ${to}`);
      return last;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
