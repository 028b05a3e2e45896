import { expect, test } from 'vitest';
import { setPostStatus } from '../../api/connect/toggle.ts';
import { languages } from '../../locales/languages.ts';
import { signInAdmin, signUpSeller } from '../support/actors.ts';
import { openMarket } from '../support/market.ts';
import { paidPost } from '../support/posts.ts';
import { live } from '../support/products.ts';

/** No browser is needed to see where links lead. */
const market = await openMarket({
  TELEGRAM_BOT_NAME: 'Marche54Bot',
  WHATSAPP_NUMBER: '+237699000000',
});
const quiet = await openMarket({ DEMO: '0' });
const into = /https:\/\/(?:t\.me\/|wa\.me\/237699000000)[^"]*/g;
const linksOn = async (url: string) => [
  ...new Set((await (await fetch(url)).text()).match(into) ?? []),
];

test.each(languages)(
  'in %s every public page leads into the chat, a product’s to that product, where the market has said that it is there',
  async (language) => {
    const { id, slotId } = await live(
      market,
      await signUpSeller(market),
      await signInAdmin(market),
    );
    const start = [
      `https://t.me/Marche54Bot?start=${language}`,
      `https://wa.me/237699000000?text=${language === 'en' ? 'start' : 'd%C3%A9but'}`,
    ];
    // Also from memory.
    for (const path of ['', '', '/how-it-works', '/connect'])
      expect(await linksOn(`${market.url}/${language}${path}`), path).toEqual(start);
    const product = await linksOn(`${market.url}/${language}/shop/slot/${slotId}`);
    expect(product).toHaveLength(4);
    expect(product).toEqual(
      expect.arrayContaining([
        `https://t.me/Marche54Bot?start=p-${id.slice(0, 8)}_${language}`,
        `https://wa.me/237699000000?text=${language === 'en' ? 'show' : 'voir'}%20${id.slice(0, 8)}`,
      ]),
    );
  },
);

test.each(languages)(
  'in %s an open post leads to itself in the chat, a closed one no more',
  async (language) => {
    const owner = await signUpSeller(market);
    const reference = await paidPost(market, owner);
    const own = [
      `https://t.me/Marche54Bot?start=c-${reference}_${language}`,
      `https://wa.me/237699000000?text=${language === 'en' ? 'post' : 'demande'}%20${reference}`,
    ];
    const links = await linksOn(`${market.url}/${language}/connect/${reference}`);
    expect(links).toHaveLength(4);
    expect(links).toEqual(expect.arrayContaining(own));
    await setPostStatus(await market.ctx(owner), reference, 'closed');
    expect(await linksOn(`${market.url}/${language}/connect/${reference}`)).not.toEqual(
      expect.arrayContaining([own[0]]),
    );
  },
);

test('and nowhere else', async () => {
  const { slotId } = await live(quiet, await signUpSeller(quiet), await signInAdmin(quiet));
  for (const path of ['', '/how-it-works', `/shop/slot/${slotId}`, '/connect']) {
    const html = await (await fetch(`${quiet.url}/en${path}`)).text();
    expect(html, path).not.toMatch(/t\.me\/|wa\.me\/237699000000|\/demo\/chat/);
  }
  expect((await fetch(`${quiet.url}/en/demo/chat`)).status).toBe(404);
});
