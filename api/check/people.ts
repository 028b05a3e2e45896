import { schema } from '../../db/client.ts';
import { settingSchemas } from '../settings/schema.ts';
import { rulesOf } from './rule.ts';

const recently = (days: number) => `(select now from clock) - interval '${days} days'`;
/** A session lives 30 days (api/auth); clocks may differ. */
const longest = `(select now from clock) + interval '31 days'`;

export const peopleRules = rulesOf('people', {
  sessions: `select id from session where expires_at > ${longest}`,
  leaving: `select s.id from sellers s join "user" u on u.id = s.user_id
    where s.leaving_at is distinct from u.leaving_at`,
  addresses: `select c.user_id as id from email_changes c join "user" u on u.email = c.old_email and u.id <> c.user_id
    where c.confirmed_at is not null and c.taken_back_at is null and c.held_until > (select now from clock)`,
  links: `select 'sign-up ' || left(token_hash, 8) as id from sign_up_links
    where used_at > expires_at + interval '1 minute'
    union all select 'sign-in ' || left(token_hash, 8) from sign_in_links
      where used_at > expires_at + interval '1 minute'
    union all select 'chat ' || left(code_hash, 8) from chat_link_codes
      where used_at > expires_at + interval '1 minute'`,
});

export const messageRules = rulesOf('message', {
  lettersTried: `select id from outbox where state = 'waiting' and attempts >= 8`,
  lettersStuck: `select id from outbox where state = 'waiting' and next_attempt_at < ${recently(1)}`,
  lettersSent: `select id from outbox where sent_at < created_at - interval '1 minute'
    or (state = 'sent') <> (sent_at is not null)`,
  chatsUnanswered: `select turn as id from chat_updates where state = 'waiting' and next_attempt_at < ${recently(1)}`,
  answers: `select owner || ' ' || left(key, 8) as id from idempotency_keys where answer is null`,
});

export const settingRules = rulesOf('setting', {
  settings: async ({ db }) =>
    (await db.select().from(schema.settings)).flatMap(({ key, value }) => {
      const known = Object.hasOwn(settingSchemas, key)
        ? settingSchemas[key as keyof typeof settingSchemas]
        : undefined;
      return known && !known.schema.safeParse(value).success ? [key] : [];
    }),
});
