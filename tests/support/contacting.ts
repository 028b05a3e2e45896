import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { generateSignedCookie } from 'hono/cookie';
import { expect } from 'vitest';
import type { SettingName } from '../../api/settings/schema.ts';
import { writeSetting } from '../../api/settings/values.ts';
import { schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import type { Person } from './actors.ts';
import type { Caller, TestApp } from './app.ts';
import { Jar } from './jar.ts';
import { answerTo } from './question.ts';
import { rawRows } from './rows.ts';

export type Details = { token: string; question: string; seconds: number };
export type ContactBody = { error: { code: string; message: string; details?: Details } } & {
  seller_whatsapp: string;
}[];
export type Input = {
  as?: Caller;
  address?: string;
  language?: Language;
  reply?: { token: string; answer: string };
};

export function contactingIn(market: TestApp, admin: Person) {
  const { products } = schema;
  const rows = rawRows(market.sql);
  let ids: string[] = [];

  const fillMarket = async (live: number) => {
    ids = [];
    for (let slot = 1; slot <= live; slot++) {
      const id = await rows.placed(slot);
      await market.db
        .update(products)
        .set({ sellerWhatsapp: `+2376990${20000 + slot}`, name: { en: `Thing ${slot}` } })
        .where(eq(products.id, id));
      ids.push(id);
    }
  };
  const set = async (name: SettingName, value: number) =>
    writeSetting(await market.ctx(admin), name, value);

  const contact = async (id: string, { reply = undefined, ...options }: Input = {}) =>
    market.call<ContactBody>(`/api/products/${id}/contact`, {
      json: { consent: true, ...reply },
      ...options,
    });
  const codeOf = ({ status, body }: { status: number; body: ContactBody }) =>
    status === 200 ? 'kept' : body.error.code;
  const number = (n: number) => ids[n % ids.length] ?? '';

  /** A visitor whose cookie was set a moment ago. */
  const newcomer = async (address?: string): Promise<Caller> => {
    const caller = { jar: new Jar() };
    const { status } = await market.request('/api/engagement', {
      json: { slotId: 1, productId: number(0), type: 'view' },
      as: caller,
      ...(address ? { address } : {}),
    });
    expect([status, caller.jar.has('visitor')]).toEqual([202, true]);
    return caller;
  };
  /** Visitors whose cookie is a minute old. */
  const lookers = async (count: number, address?: string): Promise<Caller[]> => {
    const callers: Caller[] = [];
    for (let n = 0; n < count; n++) callers.push(await newcomer(address));
    wait(60);
    return callers;
  };
  /** A visitor whose cookie dates the first contact `hours` ago. */
  const known = async (hours = 24): Promise<Caller> => {
    const since = Math.floor(market.clock.now().getTime() / 1000 - hours * 3600).toString(36);
    const jar = new Jar();
    jar.keep(
      new Headers({
        'set-cookie': await generateSignedCookie(
          'visitor',
          `${randomUUID()}.${since}`,
          market.services.secret,
        ),
      }),
    );
    return { jar };
  };
  const asked = async (id: string, options: Input = {}): Promise<Details> => {
    const answer = await contact(id, options);
    expect(codeOf(answer)).toBe('contact.challenge');
    return answer.body.error.details as Details;
  };
  const solve = (details: Details) => ({
    token: details.token,
    answer: answerTo(details.question),
  });
  const wait = (seconds: number) => market.clock.advance({ seconds });

  return { fillMarket, set, contact, codeOf, number, newcomer, lookers, known, asked, solve, wait };
}
