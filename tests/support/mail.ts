import type { Ctx } from '../../api/core/context.ts';
import type { Mail, Mailer } from '../../api/core/ports.ts';
import { createDelivery } from '../../api/outbox/delivery.ts';

/** Letter box of a test market: receives what the outbox delivers. */
export type Mails = {
  mailer: Mailer;
  readonly delivered: readonly Mail[];
  deliver(): Promise<readonly Mail[]>;
  lastTo(address: string): Promise<Mail>;
  allTo(address: string): Promise<Mail[]>;
  /** Makes the mail server refuse with this reason; accepts again without one. */
  refuse(reason?: string): void;
  clear(): void;
};

/**
 * Delivers everything due, as a woken process does. Returns the counts of accepted and failed
 * letters.
 */
export async function deliverOutbox(ctx: Ctx): Promise<{ sent: number; failed: number }> {
  const delivery = createDelivery(ctx);
  delivery.wake();
  await delivery.idle();
  return delivery.count;
}

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
  // One delivery at a time: a parallel one would skip what the other is sending.
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

export function linkIn(mail: Mail): URL {
  const link = /https?:\/\/\S+/.exec(mail.text)?.[0];
  if (!link) throw new Error(`There is no link in “${mail.subject}”:\n${mail.text}`);
  return new URL(link);
}

export function tokenIn(mail: Mail): string {
  const token = linkIn(mail).searchParams.get('token');
  if (!token) throw new Error(`The link of “${mail.subject}” carries no token`);
  return token;
}
