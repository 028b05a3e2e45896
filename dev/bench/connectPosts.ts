import { wordsOf } from '../../api/connect/post.ts';
import { requests } from '../../db/seed/connect.ts';
import type { Crowd } from './crowd.ts';

/** A word that one post in thirty contains, and one that a single post contains, at any size. */
export const searched = { common: 'cocoa', rare: 'ndamukong' };

/**
 * Fills Connect with active posts of a hundred members, one a minute, each with some words of its
 * own. Bypasses the trigger that requires each post's spend.
 */
export async function fillConnect({ sql }: Pick<Crowd, 'sql'>, size: number): Promise<void> {
  const texts = requests.map(
    ({ title, description, category, city, region, location = null, budget, tags }) => {
      const words = wordsOf({ title, description, tags, city, region, location });
      return {
        title,
        description,
        category,
        city,
        region,
        location,
        least: budget[0],
        most: budget[1],
        tags,
        words,
      };
    },
  );
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`insert into "user" (id, name, email, email_verified, created_at, updated_at)
      select 'board' || n, 'Member ' || n, 'board' || n || '@example.test', true, now(), now()
      from generate_series(0, 99) as n on conflict do nothing`;
    await tx`insert into connect_posts (id, reference, user_id, title, description, category, city,
      region, location, budget_min, budget_max, contact_whatsapp, tags,
        created_at, updated_at, words)
      select md5('post' || n)::uuid, translate(left(md5('reference' || n), 8), '01abcdef', '23ghjkmn'),
        'board' || n % 100, t.title, t.description, t.category, t.city, t.region, t.location,
        t.least, t.most, '+237690000000', t.tags, now() - n * interval '1 minute', now() - n * interval '1 minute',
        t.words || ' ' || left(md5('w' || n), 7) || ' ' || left(md5('v' || n), 7) ||
        case when n = ${size >> 1} then ${` ${searched.rare}`} else '' end
      from generate_series(0, ${size - 1}::int) as n
      join (select row_number() over () - 1 as i, * from jsonb_to_recordset(${tx.json(texts)})
        as x(title text, description text, category text, city text, region text, location text,
        least numeric, most numeric, tags text[], words text)) as t
        on t.i = n % ${texts.length}::int
      on conflict do nothing`;
    await tx`insert into connect_figures (post_id, views) select id, 12 from connect_posts on conflict do nothing`;
  });
  await sql`vacuum analyze`;
}
