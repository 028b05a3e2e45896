import type { Sql } from 'postgres';
import { createLog } from '../../api/ops/log.ts';
import { openLinks } from '../../api/outbox/outbox.ts';

/**
 * Reads the token of the newest letter to an address from the server's database.
 * @param secret the server's; by default the one in its database
 */
export async function tokenInRow(sql: Sql, recipient: string, secret?: string): Promise<string> {
  const [row] = await sql<{ text: string; secret: string }[]>`
    select body_text as text, (select value from secrets where name = 'auth') as secret
      from outbox where recipient = ${recipient} order by turn desc limit 1`;
  const text = row
    ? openLinks(
        { services: { secret: secret ?? row.secret, log: createLog() } },
        recipient,
        row.text,
      )
    : '';
  return decodeURIComponent(/[?&]token=([^\s&]+)/.exec(text)?.[1] ?? '');
}
