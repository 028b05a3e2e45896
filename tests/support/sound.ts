import type { Sql } from 'postgres';

/** How often a rule that always holds does not, by its name. */
type Violations = Record<string, number>;

const counted = async (rows: PromiseLike<readonly object[]>): Promise<Violations> => ({ ...(await rows)[0] });

/** What holds of all credits at any moment (decision 042), beside the chains that `verifyCredits` walks. */
export const creditViolations = (sql: Sql): Promise<Violations> =>
  counted(sql`select
    (select count(*)::int from credit_accounts a where a.balance < 0 or a.balance <> (select coalesce(sum(amount), 0) from credit_entries where member = a.number)) as wrong_balances,
    (select count(*)::int from (select balance, sum(amount) over (partition by member order by serial) as sum from credit_entries) e where e.balance < 0 or e.balance <> e.sum) as wrong_running,
    (select count(*)::int from (select from credit_entries where kind = 'spend' group by reference_type, reference_id having count(*) > 1) t) as paid_twice,
    (select count(*)::int from (select from credit_entries where undoes is not null group by undoes having count(*) > 1) t) as refunded_twice,
    (select count(*)::int from credit_purchases p where (p.status = 'completed')::int <> (select count(*) from credit_entries where purchase_id = p.id)) as wrongly_credited`);

/** What holds of the board at any moment: each thing has its one spend, and each spend the thing that it paid for; a member pays once a post. */
export const boardViolations = (sql: Sql): Promise<Violations> =>
  counted(sql`select
    (select count(*)::int from connect_posts p where (select count(*) from credit_entries where kind = 'spend' and reference_type = 'post' and reference_id = p.id) <> 1) as posts,
    (select count(*)::int from connect_responses r where (select count(*) from credit_entries where kind = 'spend' and reference_type = 'response' and reference_id = r.id) <> 1) as responses,
    (select count(*)::int from connect_updates u where (select count(*) from credit_entries where kind = 'spend' and reference_type = 'post_update' and reference_id = u.id) <> 1) as updates,
    (select count(*)::int from credit_entries e where kind = 'spend' and not exists (
      select from connect_posts where id = e.reference_id union all select from connect_responses where id = e.reference_id union all select from connect_updates where id = e.reference_id
    )) as spent_on_nothing,
    (select count(*)::int from (select from connect_responses group by post_id, user_id having count(*) > 1) t) as responded_twice`);

/** Members who bought for more than the limit in a week, which begins on Monday in Douala (product R37). */
export const limitViolations = (sql: Sql, limitUsd: number): Promise<Violations> =>
  counted(sql`select count(*)::int as over_the_weekly_limit from (
    select from credit_purchases where status in ('pending', 'completed')
    group by member, date_trunc('week', created_at at time zone 'Africa/Douala') having sum(amount_usd) > ${limitUsd}) t`);

export const none = (violations: Violations): Violations => Object.fromEntries(Object.keys(violations).map((name) => [name, 0]));
