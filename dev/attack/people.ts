import { randomUUID } from 'node:crypto';
import { ownVersion } from '../../api/legal/version.ts';
import { Jar } from '../../tests/support/jar.ts';
import { tokenInRow } from '../../tests/support/mailedToken.ts';
import type { Market } from './market.ts';

type Ask = { method?: string; json?: unknown; body?: BodyInit; headers?: Record<string, string> };
export type Answer<T = Record<string, unknown>> = { status: number; body: T; text: string };

/** A browser at one network address. Keeps cookies; gives each write its own key. */
export type Person = {
  jar: Jar;
  address: string;
  userId: string;
  ask<T = Record<string, unknown>>(path: string, init?: Ask): Promise<Answer<T>>;
};

export const password = 'a good password';

export function browser(
  { url }: Pick<Market, 'url'>,
  address: string,
  jar = new Jar(),
  userId = '',
): Person {
  return {
    jar,
    address,
    userId,
    async ask<T>(path: string, { method, json, body, headers: more = {} }: Ask = {}) {
      const sent = json === undefined ? body : JSON.stringify(json);
      const verb = method ?? (sent === undefined ? 'GET' : 'POST');
      const headers = new Headers({ 'x-forwarded-for': address, cookie: jar.header(), ...more });
      if (json !== undefined) headers.set('content-type', 'application/json');
      if (verb !== 'GET' && !headers.has('idempotency-key'))
        headers.set('idempotency-key', randomUUID());
      const response = await fetch(`${url}${path}`, {
        method: verb,
        headers,
        redirect: 'manual',
        ...(sent === undefined ? {} : { body: sent }),
      });
      const text = await response.text();
      jar.keep(response.headers);
      const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
      return { status: response.status, body: (isJson ? JSON.parse(text) : {}) as T, text };
    },
  };
}

/** Throws when a request that an attack depends on was refused. */
export async function must<T>(asked: Promise<Answer<T>>): Promise<T> {
  const { status, body, text } = await asked;
  if (status >= 300) throw new Error(`answered ${status}: ${text.slice(0, 300)}`);
  return body;
}

/** Creates a member with the form and the mailed link, and gives credits as the admin. */
export async function join(
  market: Market,
  name: string,
  address: string,
  credits = 0,
): Promise<Person> {
  const { sql } = market;
  const email = `${name}@attack.example.test`;
  const person = browser(market, address);
  await must(
    person.ask('/api/auth/sign-up', {
      json: { email, password, name: 'Somebody New', selling: false, agreed: ownVersion.id },
    }),
  );
  const token = await tokenInRow(sql, email);
  await must(person.ask('/api/auth/verify-email', { json: { token, password } }));
  const [row] = await sql<{ id: string }[]>`select id from "user" where email = ${email}`;
  const userId = row?.id ?? '';
  if (credits > 0)
    await must(
      browser(market, '192.0.2.20').ask('/api/admin/credits/corrections', {
        json: { userId, amount: credits, reason: 'To begin with' },
        headers: { cookie: market.admin },
      }),
    );
  return { ...person, userId };
}

/** A different address for each number, from a network otherwise unused here. */
export const addressOf = (n: number): string =>
  `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

export const post = (title: string) => ({
  title,
  description: 'On Saturday, with a van.',
  category: 'transportation',
  contactWhatsapp: '+237699001234',
});
