import type { Sql } from 'postgres';
import { answeredCodes } from '../../api/shared/errors.ts';
import { slotCount } from '../../api/shared/slots.ts';
import type { Heard } from '../../tests/support/rawRequest.ts';
import type { answerJudge } from './answers.ts';
import { type Input, script } from './input.ts';

/** Milliseconds of a slow answer, and of one that holds the event loop too long. */
export const [slowMs, loopMs] = [3000, 50];

/** Patterns that no answer may contain: stacks, SQL, paths, names of libraries. */
const internals = [
  /\bat [^\n]{0,120}\.(?:ts|tsx|mjs|js|astro):\d+/,
  /node_modules|PostgresError|DrizzleQueryError|Failed query|ZodError|HTTPException|better-auth/,
  /\b(?:select|insert into|update|delete from) "?\w+"? (?:from|set|where|values|\()/i,
  /violates \w+ constraint|invalid input syntax|invalid byte sequence|out of range for type/,
  /\/(?:home|work|tmp|usr|root|srv)\/[\w.-]+\/[\w.-]+/,
  /(?:Type|Range|Reference|Syntax|URI)Error\b|undefined is not|is not a function/,
];
const knownCookies =
  /^(?:visitor|language|theme|sign_up|signed-in|google_sign_in|known_device|favourites|alerts|(?:__Secure-)?marche54\.[\w]+)=/;
/** Allowed redirects: this site, or the seller's chat. */
const knownPlaces = /^(?:\/(?![/\\])|https:\/\/wa\.me\/|http:\/\/market\.test(?:\/|$))/;
const refusals = new Set(
  answeredCodes
    .filter(([, status]) => status === 503 || status === 507)
    .map(([code]) => code as string),
);

export type ErrorShape = { error?: { code?: string; message?: string; requestId?: string } };
export function errorOf(body: string): ErrorShape['error'] {
  try {
    return (JSON.parse(body) as ErrorShape).error;
  } catch {
    return undefined;
  }
}

/** Pattern of an operation's addresses, as far as its parameters are plain. */
const pathOf = (name: string) =>
  new RegExp(
    `^${name
      .replace(/^\w+ /, '')
      .replaceAll('.', '\\.')
      .replaceAll(/\{\w+\}/g, '[^/?]+')}(?:\\?|$)`,
  );

type Asked = Pick<Input, 'name' | 'target' | 'odd' | 'method'>;

/** Faults of an answer, in words; empty for a good one, whatever its status. */
export function faultsOf(
  { name, target, odd, method }: Asked,
  { status, headers, body }: Heard,
  typed: ReturnType<typeof answerJudge>,
): string[] {
  // Bun drops the connection on an unknown HTTP method; that is accepted only for odd requests.
  if (status === 0) return odd === undefined ? ['no answer'] : [];
  const error = errorOf(body);
  const faults: string[] = [];
  if (
    status >= 500 &&
    !(odd?.includes('HTTP/2.0') && status === 505) &&
    !refusals.has(error?.code ?? '')
  )
    faults.push(`status ${status}`);
  for (const pattern of internals) {
    const found = pattern.exec(body);
    if (found) faults.push(`shows “${found[0].slice(0, 80)}”`);
  }
  const type = headers['content-type']?.[0] ?? '';
  if (type.startsWith('text/html') && body.replaceAll(/="[^"]*"/g, '').includes(script))
    faults.push('shows a script as it is');
  const [place] = headers.location ?? [];
  if (place !== undefined && !knownPlaces.test(place)) faults.push(`leads to ${place}`);
  for (const cookie of headers['set-cookie'] ?? [])
    if (!knownCookies.test(cookie)) faults.push(`sets ${cookie}`);
  // An empty 400 is Bun's own, for invalid HTTP.
  const api = /^\/api(?:[/?]|$)/.test(target);
  if (
    api &&
    status >= 400 &&
    method !== 'HEAD' &&
    body !== '' &&
    !(error?.code && error.message && error.requestId)
  )
    faults.push('no error in JSON');
  // A changed method or path is another operation.
  const own = name.startsWith(`${method} `) && (status >= 400 || pathOf(name).test(target));
  if (own && body !== '' && type.startsWith('application/json'))
    faults.push(...typed(name, status, body));
  return faults;
}

/** Returns the database's invariants that are broken. */
export async function inconsistencies(sql: Sql): Promise<string[]> {
  const checks: Record<string, Promise<readonly { n: number }[]>> = {
    'slots are missing or too many': sql`select abs(count(*) - ${slotCount})::int as n from slots`,
    'balances that are not the sum of their entries': sql`select count(*)::int as n from credit_accounts a
      where a.balance <> (select coalesce(sum(amount), 0) from credit_entries e where e.member = a.number)`,
    'products both in a slot and in a queue': sql`select count(*)::int as n from slots s join queue_items q on q.product_id = s.product_id`,
    'removed products that are listed': sql`select count(*)::int as n from products p where p.removed_at is not null
      and (exists (select 1 from slots s where s.product_id = p.id) or exists (select 1 from queue_items q where q.product_id = p.id))`,
    'unapproved products in slots': sql`select count(*)::int as n from slots s join products p on p.id = s.product_id where p.status not in ('approved', 'active')`,
    'active slots without a product': sql`select count(*)::int as n from slots where active <> (product_id is not null)`,
    'queue places taken twice': sql`select count(*)::int as n from (select 1 from queue_items group by queue_name, band, position having count(*) > 1) twice`,
    'sellers of nobody': sql`select count(*)::int as n from sellers s where s.user_id is not null and not exists (select 1 from "user" u where u.id = s.user_id)`,
  };
  const found = await Promise.all(
    Object.entries(checks).map(async ([name, rows]) => ({ name, n: (await rows)[0]?.n ?? -1 })),
  );
  return found.filter(({ n }) => n !== 0).map(({ name, n }) => `${n} ${name}`);
}
