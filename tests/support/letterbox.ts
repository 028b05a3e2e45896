import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export type Letter = { to: string; from: string; subject: string; text: string; html: string };

/** A real SMTP server on a free port, which keeps what it is given: what a browser test reads its links from. */
export async function letterbox(): Promise<{ url: string; letters: Letter[]; lastTo(address: string): Letter; close(): Promise<void> }> {
  const letters: Letter[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          const to = session.envelope.rcptTo[0]?.address ?? '';
          letters.push({ to, from: mail.from?.address ?? '', subject: mail.subject ?? '', text: mail.text ?? '', html: mail.html ?? '' });
          done();
        }, done);
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  if (!address || typeof address === 'string') throw new Error('The letter box has no port');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    letters,
    lastTo(to) {
      const last = letters.filter((letter) => letter.to === to).at(-1);
      if (!last) throw new Error(`No mail has reached ${to}`);
      return last;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
