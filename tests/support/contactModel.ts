import {
  type ContactLimits,
  lookedAroundMs,
  mustAnswer,
  type NewcomerCounts,
  questionLivesMs,
  questionsKept,
  turnSeconds,
  waitSeconds,
  withinLimits,
} from '../../api/contact/rules.ts';

const hourMs = 3_600_000;

/** A visitor of one address: `known` for a day, or a newcomer, perhaps with a counted view. */
export type Visitor = {
  known: boolean;
  cookie: boolean;
  viewedAt: number | null;
  contacts: number[];
  open?: Question | undefined;
};
export type Question = { askedAt: number; readyAt: number; used: boolean };
export type Outcome =
  | { code: 'kept'; question?: undefined }
  | { code: 'contact.rateLimited'; question?: undefined }
  | {
      code: 'contact.challenge' | 'contact.wrongAnswer' | 'contact.tooEarly';
      question: Question;
      seconds: number;
    };

type Contact = { at: number; looked: boolean };

/**
 * Models one address in memory by the rules of `api/contact/rules.ts`. Times are milliseconds and
 * never decrease; `tests/verbs/contact/model.test.ts` compares it with the verb.
 */
export function contactModel(limits: ContactLimits) {
  const known: number[] = [];
  const products = new Map<number, number[]>();
  const contacts: Contact[] = [];
  const wrong: Contact[] = [];
  const tally = (rows: Contact[], looked: boolean) =>
    rows.reduce((sum, row) => sum + Number(row.looked === looked), 0);
  const counted = { contacts: [0, 0], wrong: [0, 0] };
  const last: (number | undefined)[] = [];
  let lastNumber: number | null = null;
  let forgotten = true;

  function forget(now: number): void {
    const over = now - hourMs;
    const drop = (rows: Contact[]) => {
      const first = rows.findIndex(({ at }) => at > over);
      if (first !== 0 && rows.length > 0)
        forgotten = rows.splice(0, first < 0 ? rows.length : first).length > 0 || forgotten;
    };
    while ((known[0] ?? now) <= over) known.shift();
    drop(contacts);
    drop(wrong);
    if (!forgotten) return;
    forgotten = false;
    counted.contacts = [tally(contacts, false), tally(contacts, true)];
    counted.wrong = [tally(wrong, false), tally(wrong, true)];
    lastNumber = null;
    for (const [product, times] of products) {
      while ((times[0] ?? now) <= over) times.shift();
      if (times.length === 0) products.delete(product);
      else lastNumber = Math.max(lastNumber ?? 0, times[0] ?? 0);
    }
  }
  const since = (time: number | undefined, now: number) =>
    time === undefined || time <= now - hourMs ? null : (now - time) / 1000;
  /** Records a wrong answer; the oldest of its kind makes room. */
  function remember(row: Contact): void {
    wrong.push(row);
    if (tally(wrong, row.looked) > questionsKept)
      wrong.splice(
        wrong.findIndex(({ looked }) => looked === row.looked),
        1,
      );
    forgotten = true;
  }
  const hourOf = (now: number, product: number): NewcomerCounts => ({
    others: { contacts: counted.contacts[0] ?? 0, wrong: counted.wrong[0] ?? 0 },
    looked: { contacts: counted.contacts[1] ?? 0, wrong: counted.wrong[1] ?? 0 },
    numbers: products.size,
    given: products.has(product),
    sinceOther: since(last[0], now),
    sinceLooked: since(last[1], now),
    sinceNumber: lastNumber === null ? null : (now - lastNumber) / 1000,
    questions: 0,
  });

  return {
    request(
      visitor: Visitor,
      product: number,
      now: number,
      reply?: { question: Question; right: boolean },
    ): Outcome {
      forget(now);
      const newcomer = !visitor.known;
      const own = {
        hour: visitor.contacts.filter((at) => at > now - hourMs).length,
        day: visitor.contacts.length,
      };
      if (
        !withinLimits({ ...own, known: known.length, newcomers: contacts.length }, limits, newcomer)
      )
        return { code: 'contact.rateLimited' };
      if (newcomer) {
        const looked = visitor.viewedAt !== null && visitor.viewedAt <= now - lookedAroundMs;
        const so = hourOf(now, product);
        const turn = turnSeconds(so, limits, looked);
        const { cookie } = visitor;
        visitor.cookie = true;
        if (turn > 0 || mustAnswer(so, limits, { cookie, looked })) {
          const seconds = (question: Question) =>
            Math.max(turn, Math.ceil((question.readyAt - now) / 1000), 0);
          const valid =
            reply && !reply.question.used && now - reply.question.askedAt < questionLivesMs
              ? reply
              : undefined;
          if (valid && (turn > 0 || valid.question.readyAt > now))
            return {
              code: 'contact.tooEarly',
              question: valid.question,
              seconds: seconds(valid.question),
            };
          if (valid) valid.question.used = true;
          if (!valid?.right) {
            if (valid) remember({ at: now, looked });
            const open =
              visitor.open && !visitor.open.used && now - visitor.open.askedAt < questionLivesMs
                ? visitor.open
                : undefined;
            visitor.open = open ?? {
              askedAt: now,
              readyAt: now + waitSeconds(so, limits, looked) * 1000,
              used: false,
            };
            return {
              code: valid ? 'contact.wrongAnswer' : 'contact.challenge',
              question: visitor.open,
              seconds: seconds(visitor.open),
            };
          }
        }
        contacts.push({ at: now, looked });
        const times = products.get(product) ?? [];
        if (times.length === 0) lastNumber = now;
        products.set(product, [...times, now]);
        const kind = Number(looked);
        last[kind] = now;
        counted.contacts[kind] = (counted.contacts[kind] ?? 0) + 1;
      } else known.push(now);
      visitor.contacts.push(now);
      return { code: 'kept' };
    },
  };
}
