import { join } from 'node:path';
import { dictionaries } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import { type Engine, until } from './engine.ts';

/** A demo market, and a folder for screenshots. */
export type Stage = {
  url: string;
  language: Language;
  /** A seller of the demo. */
  email: string;
  password: string;
  /** A JPEG file. */
  photo: string;
  pictures: string;
};
export type Step = { name: string; walk: (engine: Engine) => Promise<void> };

const quoted = (text: string) => JSON.stringify(text);
const visible = (css: string) =>
  `[...document.querySelectorAll(${quoted(css)})].find((found) => found.checkVisibility())`;

/** Clicks the visible button or link with exactly this text. */
async function press(engine: Engine, text: string): Promise<void> {
  const found = `[...document.querySelectorAll('button, a')].find((one) => one.innerText.trim() === ${quoted(text)} && one.checkVisibility() && !one.disabled)`;
  await until(engine, found);
  await engine.run(
    `document.querySelectorAll('[data-pressed]').forEach((old) => old.removeAttribute('data-pressed')); ${found}.dataset.pressed = ''`,
  );
  await engine.click('[data-pressed]');
}

/** Sets a field by script, since the two drivers disagree about native menus. */
const set = (engine: Engine, css: string, property: 'checked' | 'value', value: string | boolean) =>
  engine.run(`const field = document.querySelector(${quoted(css)});
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), ${quoted(property)}).set.call(field, ${JSON.stringify(value)});
    field.dispatchEvent(new Event(${quoted(property === 'checked' ? 'click' : 'input')}, { bubbles: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }))`);

async function expectThat(engine: Engine, what: string, expression: string): Promise<void> {
  if (!(await engine.run<boolean>(`return Boolean(${expression})`)))
    throw new Error(`${what}: ${expression}`);
}

/** The main screens of a buyer and a seller, one page per step. */
export function journey({ url, language, email, password, photo, pictures }: Stage): Step[] {
  const say = dictionaries[language];
  const at = (path: string) => `${url}/${language}${path}`;
  const seen = (engine: Engine, name: string) =>
    engine.picture(join(pictures, `${engine.name.split(/[/ ]/)[0]}-${language}-${name}.png`));
  const next = (engine: Engine) => press(engine, say.seller.wizard.actions.next);
  return [
    {
      name: 'home and its menu of languages',
      walk: async (engine) => {
        await engine.open(at('/'));
        await expectThat(
          engine,
          'Stalls',
          `document.querySelectorAll('[data-stall]').length === 54`,
        );
        await engine.click('.languages summary');
        await until(engine, visible('.languages__list'));
        await seen(engine, 'languages');
        await expectThat(
          engine,
          'The menu opens at its button, inside the window',
          `(() => {
            const menu = ${visible('.languages__list')}.getBoundingClientRect();
            const button = ${visible('.languages summary')}.getBoundingClientRect();
            return Math.abs(menu.top - button.bottom) < 24 && menu.left < button.right && menu.right > button.left && menu.right <= innerWidth && menu.left >= 0;
          })()`,
        );
      },
    },
    {
      name: 'a product, and its contact up to the consent',
      walk: async (engine) => {
        await engine.open(at('/'));
        const product = await engine.run<string>(
          `return document.querySelector('[data-stall] .stall:not(.stall--empty) h3 a').href`,
        );
        await engine.open(product);
        await expectThat(
          engine,
          'Its picture is there',
          `[...document.images].some((image) => image.complete && image.naturalWidth > 200)`,
        );
        await seen(engine, 'product');
        // The worker that keeps pages for times without a network (docs/offline.md).
        await until(engine, `navigator.serviceWorker.controller`);
        await engine.click('[data-action=contact]');
        await until(engine, visible('dialog.contact[open]'));
        await seen(engine, 'contact');
        await expectThat(
          engine,
          'No number without consent',
          `!document.documentElement.outerHTML.includes('wa.me/')`,
        );
      },
    },
    {
      name: 'Connect and a post',
      walk: async (engine) => {
        await engine.open(at('/connect'));
        await seen(engine, 'connect');
        const post = await engine.run<string>(
          `return [...document.querySelectorAll('main a')].find((link) => /\\/connect\\/[a-z0-9-]+$/i.test(link.pathname) && !/credits|mine/.test(link.pathname)).href`,
        );
        await engine.open(post);
        await expectThat(
          engine,
          'A post',
          `document.querySelector('.post h1, h1.paper__title, h1')`,
        );
        await seen(engine, 'post');
      },
    },
    {
      name: 'the demo’s chat answers',
      walk: async (engine) => {
        await engine.open(at('/demo/chat'));
        await press(engine, say.common.demo.chat.hello);
        await until(
          engine,
          `document.querySelector('[role=log]').innerText.includes(${quoted(say.bot.button.market)})`,
        );
        await seen(engine, 'chat');
      },
    },
    {
      name: 'sign-in and the dashboard',
      walk: async (engine) => {
        await engine.open(at('/seller/auth'));
        await engine.type('input[name=email]', email);
        await engine.type('input[name=password]', password);
        await until(engine, `!document.querySelector('form button[type=submit]').disabled`);
        await engine.click('main form button[type=submit]');
        await until(engine, `location.pathname.endsWith('/seller/dashboard')`);
        await until(engine, `document.querySelector('[data-listing]')`);
        await seen(engine, 'dashboard');
      },
    },
    {
      name: 'a product is submitted with a photo',
      walk: async (engine) => {
        await engine.open(at('/seller/products/upload'));
        await until(engine, `document.querySelector('[name="name.en"]')`);
        await engine.type('[name="name.en"]', 'Enamel pot');
        await engine.type('[name="description.en"]', 'Five litres, with its lid, never used.');
        await engine.type('[name="name.fr"]', 'Marmite émaillée');
        await engine.type('[name="description.fr"]', 'Cinq litres, avec couvercle, jamais servie.');
        await set(engine, 'select[name=category]', 'value', 'home_garden');
        await seen(engine, 'wizard');
        await next(engine);
        await engine.type('input[name=price]', '12500');
        await next(engine);
        await until(engine, `document.querySelector('input[type=file]')`);
        await engine.upload('input[type=file]', photo);
        await until(engine, `document.querySelector('[data-photo][data-state=sent]')`);
        await seen(engine, 'photos');
        await next(engine);
        await until(engine, `document.querySelector('[name=sellerName]')`);
        await next(engine);
        await until(engine, `document.querySelector('input[value=mtn_momo]')`);
        await set(engine, 'input[value=mtn_momo]', 'checked', true);
        await next(engine);
        await press(engine, say.seller.wizard.actions.submit);
        await until(engine, `location.pathname.endsWith('/seller/dashboard')`);
        await until(
          engine,
          `document.body.innerText.includes(${quoted(language === 'fr' ? 'Marmite émaillée' : 'Enamel pot')})`,
        );
        await seen(engine, 'submitted');
      },
    },
  ];
}
