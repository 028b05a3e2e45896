import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rollUpEngagement } from '../../api/engagement/rollup.ts';
import { openBot } from '../../bot/open.ts';
import { schema } from '../../db/client.ts';
import { sellers } from '../../db/seed/listings.ts';
import { signInAdmin, signUpSeller, withFactor } from '../support/actors.ts';
import { type Caller, testApp } from '../support/app.ts';
import { phonePhoto } from '../support/photos.ts';
import { runQueue } from '../support/products.ts';

/**
 * Web and chat together over the demo's transport, which shares routes, stored messages, turns and
 * outbox with the others.
 */
const { outbox } = schema;
const market = await testApp({ env: { DEMO: '1' } });
const bot = openBot(market.host);
beforeAll(() => bot.start());
afterAll(() => bot.stop());

type Button = { label: string; say?: string; url?: string };
type Line = { id: number; mine: boolean; text: string; picture?: string; buttons?: Button[][] };

function chatOf(as: Caller, role: 'seller' | 'admin' | 'visitor') {
  let seen = 0;
  const read = async (wait = '') => {
    const { body } = await market.call<{ lines: Line[] }>(
      `/api/demo/chat?as=${role}&after=${seen}${wait}`,
      { as },
    );
    seen = body.lines.at(-1)?.id ?? seen;
    return body.lines.filter(({ mine }) => !mine);
  };
  async function say(text: string, photo?: Uint8Array): Promise<Line[]> {
    const form = new FormData();
    for (const [name, value] of Object.entries({ as: role, text })) form.set(name, value);
    if (photo) form.set('photo', new File([new Uint8Array(photo)], 'photo.jpg'));
    const { status } = await market.request('/demo/chat', {
      as,
      body: form,
      language: 'en',
      headers: { accept: 'application/json' },
    });
    expect([status, text]).toEqual([200, text]);
    // The route returns the first reply; the others follow through the outbox.
    await expect
      .poll(() =>
        market.db.$count(outbox, and(eq(outbox.channel, 'telegram'), eq(outbox.state, 'waiting'))),
      )
      .toBe(0);
    return read();
  }
  const told = () => read('&wait=1');
  return { say, told };
}
const words = (lines: Line[]) => lines.map(({ text }) => text).join('\n');
const pressing = (lines: Line[], label: string): string => {
  const found = lines
    .flatMap(({ buttons = [] }) => buttons.flat())
    .find((button) => button.label === label);
  return found?.say ?? found?.url ?? `no button “${label}”`;
};

test('a product is listed by chat with a photo, approved in an admin’s chat, told to be live, asked for in a buyer’s chat and counted on the web', async () => {
  const mireille = await signUpSeller(market, {
    email: sellers[0]?.email ?? '',
    name: 'Mireille Estelle',
  });
  const admin = await signInAdmin(market);
  await withFactor(market, admin);
  const [seller, team, buyer] = [
    chatOf(market.visitor(), 'seller'),
    chatOf(admin, 'admin'),
    chatOf(market.visitor(), 'visitor'),
  ];

  await seller.say('sell');
  await seller.say('', await phonePhoto());
  const answers = [
    'done',
    'Raffia hat',
    'skip',
    'Woven by hand in Bamenda.',
    'skip',
    'fashion',
    '1',
    '7500',
    '1',
    '3',
    'done',
    'cash',
  ];
  let last: Line[] = [];
  for (const answer of answers) last = await seller.say(answer);
  expect(words(last)).toContain('Raffia hat');
  expect(words(await seller.say(pressing(last, 'Submit Product')))).toContain('Raffia hat');

  const shown = await team.say('pending');
  expect(shown.some(({ picture }) => picture)).toBe(true);
  expect(words(shown)).toMatch(/Raffia hat[\s\S]*Mireille Estelle/);
  expect(words(await team.say(pressing(shown, 'Approve')))).toMatch(/^Approved/);
  expect(words(await seller.told())).toContain('Raffia hat');

  await runQueue(market);
  expect(words(await seller.told())).toMatch(/Raffia hat[\s\S]*11/);
  const stalls = await market.call<{
    slots: { slot_id: number; product_images: { src: string }[] }[];
  }>('/api/slots');
  expect(JSON.stringify(stalls.body)).toContain('Raffia hat');

  await buyer.say('hello');
  const found = await buyer.say('raffia');
  const card = await buyer.say(pressing(found, '#11'));
  expect(card.some(({ picture }) => picture)).toBe(true);
  expect(words(card)).not.toContain(mireille.whatsapp.slice(1));
  const question = await buyer.say(pressing(card, 'Contact Seller'));
  const answer = await buyer.say(pressing(question, 'I Agree'));
  expect(pressing(answer, 'Open WhatsApp')).toContain(`wa.me/${mireille.whatsapp.slice(1)}`);

  await rollUpEngagement(market.job('roll-up'));
  const { body } = await market.call<{ totals: { views: number; messageTaps: number } }>(
    '/api/admin/analytics?range=7d',
    { as: admin },
  );
  expect(body.totals).toMatchObject({ views: 1, messageTaps: 1 });
});
