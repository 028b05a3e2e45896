import type { ContactLimits } from '../../api/contact/rules.ts';
import { contactModel, type Outcome, type Question, type Visitor } from './contactModel.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Number of stalls, and minutes until one of them changes its product. */
const stalls = 54;
const minutesToTurnover = 27;

function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const productIn = (stall: number, now: number, minutes: number) => {
  const changed = Math.floor(now / (minutes * minute));
  return stall + stalls * Math.floor((changed + stalls - 1 - stall) / stalls);
};

/**
 * Of 5,000 people behind one address, 600 visit in the evening hour, and a quarter contact sellers.
 * Of these 150, 60 are newcomers; one newcomer in twenty has no script, a quarter tap within a
 * minute.
 */
export const town = {
  people: 5000,
  buyers: 150,
  newcomers: 60,
  withoutScript: 0.05,
  quick: 0.25,
  wrongly: 0.05,
  patience: 5 * minute,
};

export type Attack =
  | 'none'
  | 'open'
  | 'right'
  | 'cookieless'
  | 'wrong'
  | 'views'
  | 'burst'
  | 'manyViews';
/** Requests a second that the app accepts from one address for an hour (api/http/load.ts). */
const attackPace = 40;

type Event = { at: number; run: (now: number) => void };
export type Result = {
  newcomers: {
    asked: number;
    refused: number;
    gaveUp: number;
    plainGaveUp: number;
    median: number;
    longest: number;
  };
  known: { asked: number; refused: number };
  attacker: { contacts: number; numbers: number };
};

/**
 * Simulates two hours of one address: the attacker starts at once, the town's evening hour is the
 * second.
 */
export function simulate(
  attack: Attack,
  limits: ContactLimits,
  { honest = true, seed = 54, turnover = minutesToTurnover } = {},
): Result {
  const random = chance(seed);
  const address = contactModel(limits);
  const queue = new Map<number, Event[]>();
  const at = (time: number, run: (now: number) => void) => {
    const second = Math.ceil(time / 1000);
    const due = queue.get(second);
    if (due) due.push({ at: time, run });
    else queue.set(second, [{ at: time, run }]);
  };
  const waits: number[] = [];
  const newcomers = { asked: 0, refused: 0, gaveUp: 0, plainGaveUp: 0 };
  const known = { asked: 0, refused: 0 };
  const taken: { at: number; product: number }[] = [];

  const wants = (person: Visitor, start: number) => {
    const stall = Math.floor(random() * random() * stalls);
    const count = person.known ? known : newcomers;
    count.asked++;
    const attempt = (now: number, reply?: { question: Question; right: boolean }): void => {
      const outcome = address.request(person, productIn(stall, start, turnover), now, reply);
      if (outcome.code === 'kept') {
        if (person.known) return;
        waits.push(Math.round((now - start) / 1000));
      } else if (outcome.code === 'contact.rateLimited') count.refused++;
      else if (now - start > town.patience) {
        if (person.viewedAt === null) newcomers.plainGaveUp++;
        else newcomers.gaveUp++;
      } else {
        // Reads, types, and answers a few seconds after the moment from which an answer counts.
        const typing = outcome.code === 'contact.tooEarly' ? 0 : 6 + random() * 10;
        const next = now + Math.max(typing, outcome.seconds + 1 + random() * 3) * 1000;
        at(next, (later) =>
          attempt(later, { question: outcome.question, right: random() >= town.wrongly }),
        );
      }
    };
    at(start, (now) => attempt(now));
  };

  for (let n = 0; honest && n < town.buyers; n++) {
    const isNew = n < town.newcomers;
    const arrived = hour + random() * 55 * minute;
    const person: Visitor = { known: !isNew, cookie: true, viewedAt: arrived, contacts: [] };
    if (isNew && random() < town.withoutScript)
      Object.assign(person, { cookie: false, viewedAt: null });
    let tap = arrived + (random() < town.quick ? 10 + random() * 45 : 65 + random() * 400) * 1000;
    for (let left = 1 + Math.floor(random() * random() * 3); left > 0; left--) {
      wants(person, tap);
      tap += (1 + random() * 4) * minute;
    }
  }

  const ready: { visitor: Visitor; stall: number; question: Question; due: number }[] = [];
  let cookies: Visitor[] = [];
  const visitorOf = (now: number): Visitor | undefined => {
    if (attack === 'right') return { known: false, cookie: true, viewedAt: null, contacts: [] };
    if (attack !== 'views' && attack !== 'burst' && attack !== 'manyViews')
      return { known: false, cookie: false, viewedAt: null, contacts: [] };
    // Cookies with one view each, made in the first minute and replaced when their ten contacts are
    // used.
    const most = attack === 'views' ? 20 : 80;
    const spent = ({ contacts }: Visitor) =>
      contacts.length >= 30 || contacts.filter((time) => time > now - hour).length >= 10;
    if (attack !== 'views') cookies = cookies.filter((each) => !spent(each));
    if (cookies.length < most)
      cookies.push({ known: false, cookie: true, viewedAt: now, contacts: [] });
    return cookies.find(
      (each) =>
        each.viewedAt !== null &&
        now - each.viewedAt >= minute &&
        !spent(each) &&
        (!each.open || each.open.used),
    );
  };
  let next = 0;
  const strike = (now: number) => {
    const note = (outcome: Outcome, visitor: Visitor, stall: number) => {
      if (outcome.code === 'kept') {
        taken.push({ at: now, product: productIn(stall, now, turnover) });
      } else if (outcome.question)
        ready.push({
          visitor,
          stall,
          question: outcome.question,
          due: now + outcome.seconds * 1000,
        });
    };
    for (let sent = 0; sent < attackPace; sent++) {
      const index = attack === 'open' ? -1 : ready.findIndex(({ due }) => due <= now);
      const [one] = index < 0 ? [] : ready.splice(index, 1);
      const visitor = one?.visitor ?? visitorOf(now);
      if (!visitor) break;
      const stall = one?.stall ?? next++ % stalls;
      const reply = one && { question: one.question, right: attack !== 'wrong' };
      if (!one && ready.length >= 200 && attack !== 'open') break;
      note(address.request(visitor, productIn(stall, now, turnover), now, reply), visitor, stall);
      if (attack === 'open') ready.length = 0;
    }
  };

  const [from, until] =
    attack === 'none' ? [0, 0] : attack === 'burst' ? [3600, 3900] : [0, 2 * 3600];
  for (let second = 0; second <= 2 * 3600 + 1200; second++) {
    for (const { run, at: time } of (queue.get(second) ?? []).sort((a, b) => a.at - b.at))
      run(time);
    queue.delete(second);
    if (second >= from && second < until) strike(second * 1000);
  }
  waits.sort((a, b) => a - b);
  return {
    newcomers: {
      ...newcomers,
      median: waits[Math.floor(waits.length / 2)] ?? 0,
      longest: waits.at(-1) ?? 0,
    },
    known,
    attacker: best(taken),
  };
}

function best(taken: { at: number; product: number }[]): { contacts: number; numbers: number } {
  const result = { contacts: 0, numbers: 0 };
  const within = new Map<number, number>();
  let first = 0;
  for (const [n, { at, product }] of taken.entries()) {
    within.set(product, (within.get(product) ?? 0) + 1);
    for (let old = taken[first]; old && old.at <= at - hour; old = taken[++first]) {
      const left = (within.get(old.product) ?? 0) - 1;
      if (left > 0) within.set(old.product, left);
      else within.delete(old.product);
    }
    result.contacts = Math.max(result.contacts, n - first + 1);
    result.numbers = Math.max(result.numbers, within.size);
  }
  return result;
}
