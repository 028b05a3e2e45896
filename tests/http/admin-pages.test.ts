import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { dictionaries } from '../../locales/index.ts';
import { adminMenu, adminPages } from '../../site/src/features/admin/pages.ts';
import { signInAdmin, signUpSeller } from '../support/actors.ts';
import { submitted } from '../support/products.ts';
import { servedMarket } from '../support/served.ts';

const market = await servedMarket();
const files = await readdir(new URL('../../site/src/pages/admin', import.meta.url), {
  recursive: true,
});
/** Admin pages, except the public sign-in. */
const paths = files
  .filter((name) => name.endsWith('.astro') && name !== 'auth.astro')
  .map((name) => `/admin/${name.replace('.astro', '')}`.replace('/index', ''));

test('every page of the admin is in the menu, but for those of one product, and the menu leads to pages alone', () => {
  expect(paths.filter((path) => path !== '/admin' && !path.includes('[')).sort()).toEqual(
    adminPages.map(({ path }) => path).sort(),
  );
});

test('no two entries of the menu have the same icon', () => {
  const viewer = { role: 'admin' } as App.Locals['viewer'];
  const icons = adminMenu({ language: 'fr', viewer } as App.Locals).flatMap(({ items }) =>
    items.map(({ icon }) => icon),
  );
  expect(new Set(icons).size).toBe(icons.length);
});

test('every page of the admin lets admins in, shows others Access Denied, and leads visitors to sign in', async () => {
  const [admin, seller] = await Promise.all([signInAdmin(market), signUpSeller(market)]);
  const { gate } = dictionaries.fr.admin;
  const { id } = await submitted(market, seller);
  for (const path of paths.map((known) => known.replace('[id]', id))) {
    const visit = async (cookie?: string) => {
      const { status, headers, body } = await market.get(`/fr${path}`, {
        accept: 'text/html',
        ...(cookie ? { cookie } : {}),
      });
      return {
        status,
        to: headers.location?.[0],
        denied: body.includes(gate.deniedTitle),
        island: body.includes('<astro-island') && !body.includes(gate.deniedTitle),
      };
    };
    expect(await visit(), path).toMatchObject({ status: 303, to: '/fr/admin/auth', island: false });
    expect(await visit(seller.jar.header()), path).toMatchObject({
      status: 403,
      denied: true,
      island: false,
    });
    const own =
      path === '/admin'
        ? { status: 303, to: '/fr/admin/dashboard' }
        : { status: 200, island: true };
    expect(await visit(admin.jar.header()), path).toMatchObject({ ...own, denied: false });
  }
  expect((await market.get('/fr/admin/nothing', { accept: 'text/html' })).status).toBe(404);
});
