import { type Context, Hono } from 'hono';
import { isLanguage } from '../locales/languages.ts';
import { listingCode } from './chats/listingCode.ts';
import { statusPicture } from './chats/statusPicture.ts';
import { postCard } from './connect/shareCardImages.ts';
import { everyone } from './core/access.ts';
import { keepRenderPace } from './http/gate.ts';
import { type AppEnv, route } from './http/route.ts';
import { shareCard } from './sharecards/cards.ts';
import { marketCard } from './sharecards/market.ts';
import { Refusal } from './shared/errors.ts';
import { shopCard } from './shops/cardImage.ts';

const product =
  /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-([a-z]{2,3})(?:-([0-9a-f]{12}))?\.jpg$/;
const shop = /^shop-([a-z0-9-]{1,60})-([a-z]{2,3})-([0-9a-f]{12})\.jpg$/;
const unversionedShop = /^shop-([a-z0-9-]{1,60})-([a-z]{2,3})\.jpg$/;
const post = /^post-([a-hjkmnp-z2-9]{8})-([a-z]{2,3})(?:-([0-9a-f]{12}))?\.jpg$/;

const code = /^code-([0-9a-f]{8})-([a-z]{2,3})\.jpg$/;
const status = /^status-([0-9a-f]{8})-([a-z]{2,3})\.jpg$/;
const market = /^(market)-([a-z]{2,3})(?:-([0-9a-f]{12}))?\.jpg$/;

const jpeg = (c: Context<AppEnv>, bytes: Uint8Array<ArrayBuffer>, caching: string) =>
  c.body(bytes, 200, {
    'content-type': 'image/jpeg',
    'cache-control': caching,
    'content-security-policy': "default-src 'none'",
  });

export const shareCardRoutes = new Hono<AppEnv>().get(
  '/media/cards/:file',
  route({
    who: everyone,
    tag: 'market',
    summary:
      'The share card of a product, a post, a shop or the market, 1200 × 630, the code of a live product to print, or its picture for a status, 1080 × 1920; an old version redirects to the present one',
  }),
  async (c) => {
    const file = c.req.param('file');
    const ofPost = post.exec(file);
    const ofShop = shop.exec(file) ?? unversionedShop.exec(file);
    const ofMarket = market.exec(file);
    const ofCode = code.exec(file);
    const ofStatus = status.exec(file);
    const [, id, language, version] =
      ofPost ?? ofShop ?? ofMarket ?? ofCode ?? ofStatus ?? product.exec(file) ?? [];
    if (!id || !isLanguage(language)) throw new Refusal('notFound');
    // Such a card may have to be drawn, so it counts towards the limit of page renderings.
    if (ofPost || ofShop || ofMarket || ofCode || ofStatus) keepRenderPace(c);
    if (ofCode)
      return jpeg(c, await listingCode(c.get('ctx'), id, language), 'public, max-age=3600');
    // Its time left and price change.
    if (ofStatus)
      return jpeg(c, await statusPicture(c.get('ctx'), id, language), 'public, max-age=300');
    const answer = ofMarket
      ? await marketCard(c.get('ctx'), language, version)
      : await (ofPost ? postCard : ofShop ? shopCard : shareCard)(
          c.get('ctx'),
          id,
          language,
          version,
        );
    if (answer.kind === 'moved') {
      c.header('cache-control', 'public, max-age=60');
      return c.redirect(answer.to, 302);
    }
    // Immutable: a changed card has another version.
    return jpeg(c, answer.bytes, 'public, max-age=31536000, immutable');
  },
);
