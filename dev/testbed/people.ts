import type { Sql } from 'postgres';
import { ownVersion } from '../../api/legal/version.ts';
import { Jar } from '../../tests/support/jar.ts';
import { tokenInRow } from '../../tests/support/mailedToken.ts';

/** A browser at one network address, with its cookies; `origin` where it differs from the home. */
export type Person = { jar: Jar; userId: string; address: string; origin?: string | undefined };
export type Answer<T = Record<string, unknown>> = {
  status: number;
  body: T;
  text: string;
  requestId: string;
  location: string;
};
export type Request = {
  method?: string;
  json?: unknown;
  bytes?: Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  key?: string;
};

export const password = 'a-good-password';

let addresses = 0;
/** A browser that has not visited the market yet, by default at an address of its own. */
export const newcomer = (address = `192.0.2.${++addresses % 250}`, origin?: string): Person => ({
  jar: new Jar(),
  userId: '',
  address,
  origin,
});

/** A different address for each number, from a network otherwise unused here. */
export const addressOf = (n: number): string =>
  `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

/** Sends one request; throws when there was no answer. */
export async function ask<T = Record<string, unknown>>(
  home: string,
  { jar, address, origin = home }: Person,
  path: string,
  { method, json, bytes, headers: more, key }: Request = {},
): Promise<Answer<T>> {
  const headers = new Headers({
    origin,
    cookie: jar.header(),
    'x-forwarded-for': address,
    ...more,
  });
  if (json !== undefined) headers.set('content-type', 'application/json');
  if (bytes && !headers.has('content-type')) headers.set('content-type', 'image/jpeg');
  if (key !== undefined) headers.set('idempotency-key', key);
  const body = bytes ?? (json === undefined ? undefined : JSON.stringify(json));
  const response = await fetch(`${home}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  jar.keep(response.headers);
  return {
    status: response.status,
    body: (text.startsWith('{') ? JSON.parse(text) : {}) as T,
    text,
    requestId: response.headers.get('x-request-id') ?? '',
    location: response.headers.get('location') ?? '',
  };
}

/** Throws when a request that a program depends on was refused. */
export async function must<T>(asked: Promise<Answer<T>>): Promise<Answer<T>> {
  const answer = await asked;
  if (answer.status >= 400)
    throw new Error(`A request was answered ${answer.status}: ${answer.text.slice(0, 300)}`);
  return answer;
}

/** Reads the address and password of an admin or a seller in a server's ready line. */
export function signInOf(said: string, role: 'admin' | 'seller') {
  const [, email = '', password = ''] =
    new RegExp(`${role} (\\S+@\\S+) / ([^\\s,]+)`).exec(said) ?? [];
  return { email, password };
}

/** Signs an account in with its password; throws when it is refused. */
export async function signIn(
  home: string,
  role: 'admin' | 'seller' | 'member',
  json: { email: string; password: string },
  person = newcomer(),
): Promise<Person> {
  const path = role === 'admin' ? '/api/auth/admin/sign-in' : '/api/auth/sign-in';
  await must(ask(home, person, path, { json }));
  return person;
}

/** Clients of a market that may be down. */
export type People = {
  admin: Person;
  /** Creates an account; of a seller unless `selling` is false. */
  signUp(name: string, selling?: boolean): Promise<Person>;
  ask(as: Person, path: string, request?: Request): Promise<Answer>;
};

/** The mailbox of an account that {@link People.signUp} created. */
export const mailboxOf = (name: string): string => `${name}@people.example.test`;

/**
 * Signs the admin in first and lifts the hourly limits of contacts, which would end a long run.
 * @param home address for the next request
 * @param said the server's ready line, which contains the admin's password
 * @param origin the market's public address, by default its home
 */
export async function openPeople(
  sql: Sql,
  home: () => string,
  said: string,
  origin?: string,
): Promise<People> {
  const somebody = () => newcomer(undefined, origin);
  const identified = async (person: Person, email: string): Promise<Person> => {
    const [row] = await sql<{ id: string }[]>`select id from "user" where email = ${email}`;
    return { ...person, userId: row?.id ?? '' };
  };
  const asAdmin = signInOf(said, 'admin');
  const admin = await identified(await signIn(home(), 'admin', asAdmin, somebody()), asAdmin.email);
  for (const [name, value] of Object.entries({
    contactPerHour: 10_000,
    contactPerDay: 100_000,
    contactPerAddressPerHour: 1_000_000,
  }))
    await must(
      ask(home(), admin, `/api/admin/settings/${name}`, { json: { value }, method: 'PUT' }),
    );
  let people = 0;
  return {
    admin,
    async signUp(name, selling = true) {
      const person = somebody();
      const email = mailboxOf(name);
      const json = {
        ...{ email, password, name, selling, agreed: ownVersion.id },
        whatsapp: `+2376990${String(10_000 + ++people)}`,
        location: 'Douala, Littoral',
      };
      await must(ask(home(), person, '/api/auth/sign-up', { json }));
      const token = await tokenInRow(sql, email);
      await must(ask(home(), person, '/api/auth/verify-email', { json: { token, password } }));
      return identified(person, email);
    },
    ask: (as, path, request) => ask(home(), as, path, request),
  };
}
