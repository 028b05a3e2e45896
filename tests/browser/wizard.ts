import { desc, eq } from 'drizzle-orm';
import type { Locator, Page } from 'playwright';
import sharp from 'sharp';
import { schema } from '../../db/client.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import type { Market } from '../support/market.ts';

export const button = (page: Page | Locator, name: string) =>
  page.getByRole('button', { name, exact: true });
/**
 * A noisy photo that phones cannot compress further, so that its upload takes a while; each has its
 * own colour.
 */
export const photo = async (name: string, hue: number, width = 420) => {
  const noise = Buffer.from(
    Array.from(
      { length: width * width * 3 },
      (_, n) => (Math.imul(n + hue * 7919, 2654435761) >>> 24) & 0xff,
    ),
  );
  return {
    name,
    mimeType: 'image/jpeg',
    buffer: await sharp(noise, { raw: { width, height: width, channels: 3 } })
      .tint({ r: hue, g: 255 - hue, b: 80 })
      .jpeg({ quality: 82 })
      .toBuffer(),
  };
};
/** The form in one language. */
export function form(page: Page, language: Language) {
  const say = dictionaries[language].seller.wizard;
  return {
    say,
    t: translator(language, 'seller'),
    next: () => button(page, say.actions.next).click(),
    at: (step: keyof typeof say.steps) =>
      page.getByRole('heading', { name: say.steps[step], level: 2 }).waitFor(),
    field: (name: string) => page.locator(`[name="${name}"]`),
    tile: (n: number) => page.locator('.photo').nth(n),
    names: () =>
      page
        .locator('.photo img')
        .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).alt)),
    pick: (files: { name: string; mimeType: string; buffer: Buffer }[]) =>
      page.locator('input[type=file]').first().setInputFiles(files),
    sent: (count: number) =>
      page
        .locator('.photo[data-state=sent]')
        .nth(count - 1)
        .waitFor({ timeout: 30_000 }),
    /** Reopens the page, as after a dead battery: the draft is announced. */
    async again() {
      await page.reload();
      await page
        .getByText(translator(language, 'seller')('wizard.draftFound', { date: '' }).trim(), {
          exact: false,
        })
        .waitFor();
    },
  };
}
/** A seller's products, the newest first. */
export const productsOf = (market: Market, sellerId: string) =>
  market.db
    .select()
    .from(schema.products)
    .where(eq(schema.products.sellerId, sellerId))
    .orderBy(desc(schema.products.createdAt));
