import type { Ctx } from '../../api/core/context.ts';
import { createDelivery } from '../../api/core/delivery.ts';
import type { Mail, Mailer } from '../../api/core/mail.ts';

/** The letter box of a test market: it takes what the outbox delivers and lets a test read it. */
export type Mails = {
  mailer: Mailer;
  /** Everything accepted so far, oldest first. */
  readonly delivered: readonly Mail[];
  /** Delivers what waits in the outbox now, then answers everything that has been accepted. */
  deliver(): Promise<readonly Mail[]>;
  /** Delivers, then answers the newest mail to an address; throws when there is none. */
  lastTo(address: string): Promise<Mail>;
  /** Delivers, then answers every mail to an address, oldest first. */
  allTo(address: string): Promise<Mail[]>;
  /** From now on the mail server refuses with these words; without words it accepts again. */
  refuse(reason?: string): void;
  clear(): void;
};

/** Delivers everything that is due, as a process that was woken does. Answers how many letters were accepted and how many failed. */
export async function deliverOutbox(ctx: Ctx): Promise<{ sent: number; failed: number }> {
  const delivery = createDelivery(ctx);
  delivery.wake();
  await delivery.idle();
  return delivery.count;
}

/** @param ctx the context in which the outbox is delivered, made anew each time */
export function capturingMails(ctx: () => Ctx): Mails {
  const delivered: Mail[] = [];
  let refusal: string | undefined;
  const mailer: Mailer = {
    async send(mail) {
      if (refusal !== undefined) throw new Error(refusal);
      delivered.push(mail);
    },
    close() {},
  };
  let turn: Promise<unknown> = Promise.resolve();
  // One delivery after the other: two at once would each leave out what the other one is just sending.
  const deliver = async () => {
    const mine = turn.then(() => deliverOutbox(ctx()));
    turn = mine.catch(() => {});
    await mine;
    return delivered;
  };
  const allTo = async (address: string) => (await deliver()).filter((mail) => mail.to === address);
  return {
    mailer,
    delivered,
    deliver,
    allTo,
    async lastTo(address) {
      const last = (await allTo(address)).at(-1);
      if (!last)
        throw new Error(
          `No mail has reached ${address}; there are mails to ${delivered.map((mail) => mail.to).join(', ') || 'nobody'}`,
        );
      return last;
    },
    refuse(reason) {
      refusal = reason;
    },
    clear() {
      delivered.length = 0;
    },
  };
}

/** The first link of a mail's plain text. */
export function linkIn(mail: Mail): URL {
  const link = /https?:\/\/\S+/.exec(mail.text)?.[0];
  if (!link) throw new Error(`There is no link in “${mail.subject}”:\n${mail.text}`);
  return new URL(link);
}

/** The token that a mail's link carries. */
export function tokenIn(mail: Mail): string {
  const token = linkIn(mail).searchParams.get('token');
  if (!token) throw new Error(`The link of “${mail.subject}” carries no token`);
  return token;
}
