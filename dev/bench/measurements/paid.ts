import { randomUUID } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import { newReference } from '../../../api/connect/post.ts';
import { publishPost } from '../../../api/connect/publish.ts';
import { respond } from '../../../api/connect/respond.ts';
import { chainKey } from '../../../api/core/chain.ts';
import type { Ctx } from '../../../api/core/context.ts';
import { hashOf } from '../../../api/credits/chain.ts';
import { correctCredits } from '../../../api/credits/correct.ts';
import { currentVersion } from '../../../api/legal/version.ts';
import { openCrowd, timed } from '../crowd.ts';
import { compared, type Result, ratioAtLeast } from '../report.ts';
import type { Bench } from '../testbed.ts';

export const names = ['connect publish', 'connect respond'];
const [rounds, members, each] = [5, 8, 25];
const post = {
  title: 'A driver with a van',
  description: 'From Bonamoussadi to Akwa on Saturday.',
  category: 'transportation' as const,
  tags: ['van'],
};
const contactWhatsapp = '+237690000000';

type Made = {
  publish(n: number): Promise<string>;
  respond(n: number, reference: string): Promise<unknown>;
};

/**
 * Publishing and responding by members in parallel: the verbs against the same statements by hand.
 * Both chain every entry.
 */
export async function run(bench: Bench): Promise<Result[]> {
  const crowd = await openCrowd(bench, { max: members });
  const { ctx, sql } = crowd;
  const people = Array.from({ length: members }, (_, n) => `payer${n}`);
  for (const id of people) {
    await sql`insert into "user" (id, name, email, email_verified, created_at, updated_at)
      values (${id}, ${id}, ${`${id}@example.test`}, true, now(), now())`;
    await correctCredits(
      ctx,
      { userId: id, amount: 1_000_000, reason: 'For the bench' },
      randomUUID(),
    );
  }
  const version = await currentVersion(ctx);
  const as = (n: number): Ctx => {
    const userId = people[n] ?? '';
    return {
      ...ctx,
      actor: {
        kind: 'member',
        userId,
        sessionId: null,
        name: userId,
        email: `${userId}@example.test`,
        agreedTo: version.id,
      },
    };
  };
  const own: Made = {
    publish: async (n) =>
      (await publishPost(as(n), { ...post, contactWhatsapp }, randomUUID())).reference,
    respond: (n, reference) => respond(as(n), reference, randomUUID()),
  };
  const plain = byHand(sql, people, await chainKey(ctx, 'credits'));

  const rates = {
    publish: [[], []] as [number[], number[]],
    respond: [[], []] as [number[], number[]],
  };
  for (let round = -1; round < rounds; round++) {
    bench.say(`publishing and responding, round ${round + 1} of ${rounds}`);
    for (const [index, made] of [own, plain].entries()) {
      const references = people.map((): string[] => []);
      const published = await timed(() =>
        atOnce(async (n) => void references[n]?.push(await made.publish(n))),
      );
      // Each answers the next one's posts, so that none waits for a lock.
      const responded = await timed(() =>
        atOnce((n, turn) => made.respond(n, references[(n + 1) % members]?.[turn] ?? '')),
      );
      if (round < 0) continue;
      rates.publish[index as 0 | 1].push((members * each * 1000) / published);
      rates.respond[index as 0 | 1].push((members * each * 1000) / responded);
    }
  }
  await crowd.close();
  const note = `${members} members at once; the same statements by hand`;
  return [
    compared('connect publish', '/s', ...rates.publish, ratioAtLeast(0.7), note),
    compared(
      'connect respond',
      '/s',
      ...rates.respond,
      ratioAtLeast(0.7),
      `${note}, the owner's letter among them`,
    ),
  ];
}

async function atOnce(work: (member: number, turn: number) => Promise<unknown>): Promise<void> {
  await Promise.all(
    Array.from({ length: members }, async (_, member) => {
      for (let turn = 0; turn < each; turn++) await work(member, turn);
    }),
  );
}

/** The statements of both verbs, in order, each in one transaction. */
function byHand(sql: Sql, people: readonly string[], key: string): Made {
  const keyed = (tx: TransactionSql, owner: string, name: string) =>
    tx`insert into idempotency_keys (owner, key, fingerprint, created_at)
      values (${owner}, ${name}, ${'f'.repeat(64)}, now()) on conflict do nothing returning key`;
  const answered = (tx: TransactionSql, owner: string, name: string, answer: object | boolean) =>
    tx`update idempotency_keys set answer = ${JSON.stringify(answer)}::jsonb where owner = ${owner} and key = ${name}`;
  async function spend(
    tx: TransactionSql,
    userId: string,
    type: 'post' | 'response',
    id: string,
    price: number,
  ): Promise<void> {
    const [account] =
      await tx`select number, user_id, entries, balance, head, opened_at from credit_accounts
        where user_id = ${userId} for update`;
    await tx`select value from secrets where name = 'credits'`;
    const entry = {
      ...{
        id: randomUUID(),
        member: Number(account?.number),
        serial: account?.entries + 1,
        kind: 'spend' as const,
        amount: -price,
      },
      ...{
        balance: account?.balance - price,
        referenceType: type,
        referenceId: id,
        undoes: null,
        purchaseId: null,
        at: new Date(),
        previous: account?.head,
      },
    };
    await tx`insert into credit_entries (id, member, serial, kind, amount, balance, reference_type,
      reference_id, at, previous, hash)
      values (${entry.id}, ${entry.member}, ${entry.serial}, 'spend', ${entry.amount},
        ${entry.balance}, ${type}, ${id}, ${entry.at}, ${entry.previous}, ${hashOf(key, entry)})`;
  }
  return {
    async publish(n) {
      const [owner, id, name, reference] = [
        people[n] ?? '',
        randomUUID(),
        randomUUID(),
        newReference(),
      ];
      await sql.begin(async (tx) => {
        await keyed(tx, owner, name);
        await tx`insert into connect_posts (id, reference, user_id, title, description, category,
          contact_whatsapp, tags, created_at, updated_at, words)
          values (${id}, ${reference}, ${owner}, ${post.title}, ${post.description},
            ${post.category}, ${contactWhatsapp}, ${post.tags}, now(), now(),
            'a driver with a van from bonamoussadi to akwa on saturday van')`;
        await spend(tx, owner, 'post', id, 2);
        await answered(tx, owner, name, { reference, balance: 0 });
      });
      return reference;
    },
    async respond(n, reference) {
      const [member, id, name] = [people[n] ?? '', randomUUID(), randomUUID()];
      await sql.begin(async (tx) => {
        const [found] =
          await tx`select * from connect_posts where reference = ${reference} for update`;
        await keyed(tx, member, name);
        await tx`select id from connect_responses where post_id = ${found?.id} and user_id = ${member}`;
        await tx`insert into connect_responses (id, post_id, user_id, created_at)
          values (${id}, ${found?.id}, ${member}, now())`;
        await spend(tx, member, 'response', id, 1);
        const [owner] =
          await tx`select id, name, email, language from "user" where id = ${found?.user_id}`;
        await tx`select user_id from notifications_off where kind = 'postResponse' and user_id in (${owner?.id})`;
        await tx`insert into outbox (channel, recipient, language, kind, subject, body_text,
          body_html, user_id, next_attempt_at, created_at)
          values ('email', ${owner?.email}, ${owner?.language}, 'postResponse',
            'Somebody responded', ${'t'.repeat(420)}, ${'h'.repeat(1350)}, ${owner?.id}, now(), now()) returning id`;
        await answered(tx, member, name, true);
      });
    },
  };
}
