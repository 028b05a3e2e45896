import { walkLedger } from '../credits/verify.ts';
import { settingSchemas } from '../settings/schema.ts';
import { rulesOf } from './rule.ts';

const entriesOf = (column: string, value: string) =>
  `(select count(*) from credit_entries where ${column} = ${value})`;
const spendsOn = (type: string, of: string) =>
  `(select count(*) from credit_entries where kind = 'spend' and reference_type = '${type}'
    and reference_id = ${of}.id)`;

/** Rules for all credits (decision 042). */
export const creditRules = rulesOf('credit', {
  balances: `select a.number as id from credit_accounts a where a.balance < 0
    or a.balance <> (select coalesce(sum(amount), 0) from credit_entries where member = a.number)`,
  running: `select member || ' ' || serial as id from (select member, serial, balance,
    sum(amount) over (partition by member order by serial) as sum from credit_entries) e
    where balance < 0 or balance <> sum`,
  paidTwice: `select reference_type || ' ' || reference_id as id from credit_entries
    where kind = 'spend' group by reference_type, reference_id having count(*) > 1`,
  refundedTwice: `select undoes as id from credit_entries where undoes is not null group by undoes having count(*) > 1`,
  wronglyCredited: `select p.id from purchases p
    where (p.completed_at is not null and p.member is not null)::int <> ${entriesOf("kind = 'purchase' and purchase_id", 'p.id')}`,
  refunds: `select p.id from purchases p left join (select purchase_id, sum(amount) as amount, sum(credits_taken) as taken
    from refunds where status = 'completed' group by 1) r on r.purchase_id = p.id
    where (p.status = 'refunded') <> coalesce(r.amount = coalesce(p.amount_xaf, p.amount_usd), false)
      or (p.status = 'partly_refunded') <> coalesce(r.amount < coalesce(p.amount_xaf, p.amount_usd), false)
      or coalesce(r.taken, 0) <> (select coalesce(-sum(amount), 0) from credit_entries where kind = 'reversal' and purchase_id = p.id)`,
  receipts: `select c.series as id from receipt_counters c left join receipts r on r.series = c.series
    group by c.series, c.last having count(r.number) <> c.last or max(r.number) <> c.last`,
  settledTwice: `select p.id from purchases p where p.purchase_method = 'cash_partner' and p.completed_at is not null
    and exists (select from purchases o where o.purchase_method = 'cash_partner'
      and o.completed_at is not null and o.id <> p.id
      and cash_reference_key(o.payment_reference) = cash_reference_key(p.payment_reference))`,
  // A limit lowered after the week's last purchase breaks no rule, nor does one that was paid late.
  weeklyLimit: `select p.member || ' ' || to_char(date_trunc('week',
    p.created_at at time zone 'Africa/Douala'), 'YYYY-MM-DD') as id
    from purchases p left join settings s on s.key = 'weeklyPurchaseLimitUsd'
      where p.member is not null and p.status in ('pending', 'completed', 'partly_refunded') and p.closed_at is null
    group by p.member, date_trunc('week', p.created_at at time zone 'Africa/Douala'), s.value, s.updated_at
    having sum(p.amount_usd) > coalesce(s.value::text::int, ${settingSchemas.weeklyPurchaseLimitUsd.initial})
      and max(p.created_at) > coalesce(s.updated_at, '-infinity')`,
  chains: async (tx) =>
    (await walkLedger(tx)).faults.map(({ member, entry, what }) =>
      [member, entry, what].filter((part) => part !== null).join(' '),
    ),
});

/**
 * Rules for Connect (product §11): one spend for each paid item and the reverse; a member pays once
 * per post to respond.
 */
export const connectRules = rulesOf('board', {
  postsPaid: `select p.id from connect_posts p where ${spendsOn('post', 'p')} <> 1`,
  responsesPaid: `select r.id from connect_responses r where ${spendsOn('response', 'r')} <> 1`,
  updatesPaid: `select u.id from connect_updates u where ${spendsOn('post_update', 'u')} <> 1`,
  // A deleted account takes its posts and their responses along but spends stay, so response spends
  // are only checked while no account was deleted.
  spentOnNothing: `select e.id from credit_entries e join credit_accounts a on a.number = e.member
    where e.kind = 'spend' and a.user_id is not null
    and (e.reference_type <> 'response' or not exists (select from credit_accounts where user_id is null))
    and not exists (select from connect_posts where id = e.reference_id
      union all select from connect_responses where id = e.reference_id
      union all select from connect_updates where id = e.reference_id)`,
  respondedTwice: `select post_id as id from connect_responses where user_id is not null
    group by post_id, user_id having count(*) > 1`,
  respondedToSelf: `select r.id from connect_responses r join connect_posts p on p.id = r.post_id
    where r.user_id = p.user_id`,
  leavingPosts: `select p.id from connect_posts p join "user" u on u.id = p.user_id
    where case when u.leaving_at is null then p.left_at is not null else p.status = 'active' end`,
  postTimes: `select p.id from connect_posts p 
    where abs(extract(epoch from p.updated_at - greatest(p.created_at,
      (select max(timestamp) from connect_updates u where u.post_id = p.id)))) > 60`,
  postViews: `select v.post_id as id from connect_views v left join connect_figures f
    on f.post_id = v.post_id group by v.post_id, f.views having count(*) > coalesce(f.views, 0)`,
});
