import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { connectRules } from '../../../api/check/ledger.ts';
import { hidePost } from '../../../api/connect/hide.ts';
import { publishPost } from '../../../api/connect/publish.ts';
import { respond } from '../../../api/connect/respond.ts';
import { setPostStatus } from '../../../api/connect/toggle.ts';
import { addUpdate } from '../../../api/connect/update.ts';
import { Refusal } from '../../../api/shared/errors.ts';
import { type Person, signUpMember } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { expectSoundCredits, grant } from '../../support/credits.ts';
import { expectSound } from '../../support/sound.ts';

const market = await testApp();
let people: Person[];
beforeEach(async () => {
  await market.reset({ accounts: true });
  people = await Promise.all([signUpMember(market), signUpMember(market), signUpMember(market)]);
  for (const person of people) await grant(market, person, 8);
});

const person = fc.nat({ max: 2 });
const post = fc.nat({ max: 5 });
const act = fc.oneof(
  fc.record({ kind: fc.constant('publish' as const), person, key: fc.nat({ max: 3 }) }),
  fc.record({ kind: fc.constant('respond' as const), person, post, key: fc.nat({ max: 3 }) }),
  fc.record({ kind: fc.constant('update' as const), person, post, key: fc.nat({ max: 3 }) }),
  fc.record({ kind: fc.constant('toggle' as const), person, post, active: fc.boolean() }),
  fc.record({ kind: fc.constant('hide' as const), post, refund: fc.boolean() }),
);

async function expectSoundConnect(): Promise<void> {
  await expectSound(market, connectRules);
  await expectSoundCredits(market);
}

test('whatever members and admins do, at once and again, everything is paid for exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(act, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 }),
      async (waves) => {
        const references: string[] = [];
        const keys = new Map<string, string>();
        const keyOf = (name: string) =>
          keys.get(name) ?? keys.set(name, randomUUID()).get(name) ?? '';
        const known = (n: number) => references[n % Math.max(1, references.length)] ?? 'zzzzzzzz';
        for (const wave of waves) {
          const done = wave.map(async (one) => {
            if (one.kind === 'hide')
              return hidePost(market.job('test'), known(one.post), {
                reason: 'A reason',
                refund: one.refund,
              });
            const ctx = await market.ctx(people[one.person]);
            if (one.kind === 'publish') {
              const given = {
                title: 'T',
                description: 'D',
                category: 'other' as const,
                contactWhatsapp: '+237699001000',
                tags: [],
              };
              const { reference } = await publishPost(ctx, given, keyOf(`publish ${one.key}`));
              if (!references.includes(reference)) references.push(reference);
              return;
            }
            const reference = known(one.post);
            if (one.kind === 'respond')
              return respond(ctx, reference, keyOf(`respond ${reference} ${one.key}`));
            if (one.kind === 'update')
              return addUpdate(
                ctx,
                reference,
                { type: 'note', message: 'More' },
                keyOf(`update ${reference} ${one.key}`),
              );
            return setPostStatus(ctx, reference, one.active ? 'active' : 'closed');
          });
          for (const { status, ...rest } of await Promise.allSettled(done))
            if (status === 'rejected')
              expect((rest as { reason: unknown }).reason).toBeInstanceOf(Refusal);
        }
        await expectSoundConnect();
      },
    ),
    { numRuns: 12 },
  );
}, 120_000);
