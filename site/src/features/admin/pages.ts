import { translator } from '../../../../locales/index.ts';
import type { Dictionaries, Key } from '../../../../locales/keys.ts';
import { linker } from '../../lib/paths.ts';
import type { IconName } from '../../ui/icons.ts';

type Name = keyof Dictionaries['admin']['meta'] & keyof Dictionaries['admin']['menu'];

/** The admin's pages in the order of their menu. `admin/meta.json` has the title of each, which is its heading too unless it names another. */
export const adminPages = [
  { name: 'dashboard', path: '/admin/dashboard', icon: 'system' },
  { name: 'upload', path: '/admin/products/upload', icon: 'plus' },
  { name: 'pending', path: '/admin/products/pending', icon: 'box' },
  { name: 'slots', path: '/admin/slots', icon: 'pin' },
  { name: 'queue', path: '/admin/queue', icon: 'queue' },
  { name: 'users', path: '/admin/users', icon: 'person', heading: 'users.title' },
  { name: 'cleanup', path: '/admin/cleanup', icon: 'bin' },
  { name: 'analytics', path: '/admin/analytics', icon: 'chart' },
  { name: 'reports', path: '/admin/reports', icon: 'flag', heading: 'reports.title' },
  { name: 'connect', path: '/admin/connect', icon: 'edit' },
  { name: 'credits', path: '/admin/credits', icon: 'check' },
  { name: 'audit', path: '/admin/audit', icon: 'clock' },
  { name: 'settings', path: '/admin/settings', icon: 'gear' },
] as const satisfies readonly { name: Name; path: `/admin/${string}`; icon: IconName; heading?: Key<'admin'> }[];

/** The admin's menu: their pages, and the ways out. */
export function adminMenu(locals: App.Locals) {
  const to = linker(locals);
  const t = translator(locals.language, 'admin');
  return [
    ...adminPages.map(({ name, path, icon }) => ({ href: to(path), label: t(`menu.${name}`), icon })),
    { href: to('/account'), label: translator(locals.language, 'account')('menu'), icon: 'person' as const },
    { href: to('/connect'), label: translator(locals.language, 'common')('nav.connect'), icon: 'edit' as const },
    { href: to('/'), label: t('menu.market'), icon: 'home' as const },
  ];
}
export type AdminPageName = (typeof adminPages)[number]['name'];
