import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { schema } from '../../db/client.ts';
import { testApp } from '../support/app.ts';
import { token } from '../support/botApi.ts';
import { chatting } from '../support/talk.ts';

/** Joining asks for the region only where the town does not give it. */
const market = await testApp({ env: { TELEGRAM_BOT_TOKEN: token } });
const { sellers } = schema;

let count = 0;
async function joined(place: string[], language: 'en' | 'fr' = 'en') {
  const number = `+2376971${String(80_000 + ++count)}`;
  const chat = await chatting(market, {
    address: `joins ${count}`,
    language,
    transport: 'telegram',
  });
  const replies: string[] = [];
  for (const line of [language === 'en' ? 'join' : 'inscription', 'Ewondo Marie', ...place])
    replies.push((await chat.say(line)).map(({ text }) => text).join('\n'));
  await chat.say(language === 'en' ? 'yes' : 'oui');
  await chat.say('', { number });
  const [row] = await market.db.select().from(sellers).where(eq(sellers.whatsapp, number));
  return { replies, place: row && [row.location, row.region] };
}

test('a town gives its region without another question', async () => {
  const { replies, place } = await joined(['Kumbo']);
  expect(replies.at(-1)).toContain('do you agree?');
  expect(place).toEqual(['Kumbo, North West', 'north-west']);
});

test('an unknown town that is kept is asked its region, which is chosen by number or by name', async () => {
  const asked = await joined(['Ngambè-Tikar', 'Keep What I Wrote', '2']);
  expect(asked.replies.at(-2)).toContain('In which region is that?');
  expect(asked.place).toEqual(['Ngambè-Tikar, Centre', 'centre']);
  expect((await joined(['Ndikiniméki', 'Keep What I Wrote', 'Nord-Ouest'])).place).toEqual([
    'Ndikiniméki, North West',
    'north-west',
  ]);
});

test('a place elsewhere keeps its words alone, and a stray answer asks again', async () => {
  const { replies, place } = await joined(['Libreville', 'Keep What I Wrote', 'Gabon', '11']);
  expect(replies.at(-2)).toContain('In which region is that?');
  expect(place).toEqual(['Libreville', null]);
});

test('in French the regions have their French names', async () => {
  const { place } = await joined(['Ndikiniméki', 'Garder ce que j’ai écrit', '7'], 'fr');
  expect(place).toEqual(['Ndikiniméki, Nord-Ouest', 'north-west']);
});
