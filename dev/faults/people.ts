import type { Sql } from 'postgres';
import { ownVersion } from '../../api/legal/version.ts';
import { Jar } from '../../tests/support/jar.ts';
import { tokenInRow } from '../../tests/support/mailedToken.ts';

export type Person = { jar: Jar; userId: string; address: string };
export type Answer = { status: number; body: Record<string, unknown>; requestId: string };
export type Request = {
  method?: string;
  json?: unknown;
  bytes?: Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  key?: string;
};

/** Clients of a market that may be down. */
export type People = {
  admin: Person;
  /** Creates a seller's account. */
  signUp(name: string): Promise<Person>;
  /** Sends one request; throws when there was no answer. */
  ask(as: Person, path: string, request?: Request): Promise<Answer>;
};

const password = 'a good password';

/**
 * Signs the admin in first.
 * @param home address for the next request
 * @param said the server's ready line, which contains the admin's password
 */
export async function openPeople(sql: Sql, home: () => string, said: string): Promise<People> {
  let people = 0;
  const newcomer = (): Person => ({ jar: new Jar(), userId: '', address: `192.0.2.${++people}` });

  const ask: People['ask'] = async (
    { jar, address },
    path,
    { method, json, bytes, headers: more, key } = {},
  ) => {
    const origin = home();
    const headers = new Headers({
      origin,
      cookie: jar.header(),
      'x-forwarded-for': address,
      ...more,
    });
    if (json !== undefined) headers.set('content-type', 'application/json');
    if (bytes) headers.set('content-type', 'image/jpeg');
    if (key !== undefined) headers.set('idempotency-key', key);
    const body = bytes ?? (json === undefined ? undefined : JSON.stringify(json));
    const response = await fetch(`${origin}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers,
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    jar.keep(response.headers);
    const requestId = response.headers.get('x-request-id') ?? '';
    return {
      status: response.status,
      body: text.startsWith('{') ? JSON.parse(text) : {},
      requestId,
    };
  };

  async function must(as: Person, path: string, json: unknown, method = 'POST'): Promise<Answer> {
    const answer = await ask(as, path, { json, method });
    if (answer.status >= 300)
      throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer;
  }
  const identified = async (person: Person, email: string): Promise<Person> => {
    const [row] = await sql<{ id: string }[]>`select id from "user" where email = ${email}`;
    return { ...person, userId: row?.id ?? '' };
  };

  const [, email = '', adminPassword = ''] = /admin (\S+) \/ ([^\s,]+)/.exec(said) ?? [];
  const admin = newcomer();
  await must(admin, '/api/auth/admin/sign-in', { email, password: adminPassword });
  // The hourly limits would end a long storm.
  for (const [name, value] of Object.entries({
    contactPerHour: 10_000,
    contactPerDay: 100_000,
    contactPerAddressPerHour: 1_000_000,
  }))
    await must(admin, `/api/admin/settings/${name}`, { value }, 'PUT');
  return {
    admin: await identified(admin, email),
    async signUp(name) {
      const person = newcomer();
      const mailbox = `${name}@faults.example.test`;
      const profile = {
        whatsapp: `+2376990${String(10_000 + people)}`,
        location: 'Douala, Littoral',
      };
      const agreed = ownVersion.id;
      const signUp = { email: mailbox, password, name, agreed, ...profile };
      await must(person, '/api/auth/sign-up', signUp);
      const token = await tokenInRow(sql, mailbox);
      await must(person, '/api/auth/verify-email', { token, password });
      return identified(person, mailbox);
    },
    ask,
  };
}
