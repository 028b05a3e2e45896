import { translator } from '../../../../locales/index.ts';
import type { Dictionaries, Key } from '../../../../locales/keys.ts';
import { linker } from '../../lib/paths.ts';
import type { IconName } from '../../ui/icons.ts';
import type { MenuGroup } from '../../ui/menu.ts';

type Name = keyof Dictionaries['admin']['meta'] & keyof Dictionaries['admin']['menu'];
export type AdminPageName = (typeof adminPages)[number]['name'];

/** Admin pages in menu order. Titles are in `admin/meta.json`; `heading` overrides the heading. */
export const adminPages = [
  { group: 'market', name: 'dashboard', path: '/admin/dashboard', icon: 'system' },
  { group: 'market', name: 'upload', path: '/admin/products/upload', icon: 'plus' },
  {
    ...{ group: 'market', name: 'pending', path: '/admin/products/pending', icon: 'box' },
    moderators: true,
  },
  { group: 'market', name: 'slots', path: '/admin/slots', icon: 'pin' },
  { group: 'market', name: 'queue', path: '/admin/queue', icon: 'queue' },
  { group: 'people', name: 'users', path: '/admin/users', icon: 'people', heading: 'users.title' },
  { group: 'people', name: 'reports', path: '/admin/reports', icon: 'flag', moderators: true },
  { group: 'people', name: 'connect', path: '/admin/connect', icon: 'note', moderators: true },
  { group: 'people', name: 'credits', path: '/admin/credits', icon: 'coins' },
  { group: 'system', name: 'analytics', path: '/admin/analytics', icon: 'chart' },
  { group: 'system', name: 'cleanup', path: '/admin/cleanup', icon: 'bin' },
  { group: 'system', name: 'audit', path: '/admin/audit', icon: 'clock' },
  { group: 'system', name: 'runbook', path: '/admin/runbook', icon: 'info' },
  { group: 'system', name: 'settings', path: '/admin/settings', icon: 'gear', moderators: true },
] as const satisfies readonly {
  group: keyof Dictionaries['admin']['menu']['groups'];
  name: Name;
  path: `/admin/${string}`;
  icon: IconName;
  heading?: Key<'admin'>;
  /** Moderators have it too (product R60). */
  moderators?: true;
}[];

const isTheirs = (page: (typeof adminPages)[number]): boolean => 'moderators' in page;

/** True for someone who has pages here at all. */
export const inTeam = ({ role }: App.Locals['viewer']): boolean =>
  role === 'admin' || role === 'moderator';

/** True if a page of this path is one of the viewer's; its top leads to the first. */
export const hasPage = (viewer: App.Locals['viewer'], path: string): boolean =>
  viewer.role === 'admin' ||
  (viewer.role === 'moderator' &&
    (path === '/admin' || adminPages.some((page) => page.path === path && isTheirs(page))));

/** Menu of the admin's or the moderator's pages, grouped, then links out of the admin area. */
export function adminMenu(locals: App.Locals): MenuGroup[] {
  const to = linker(locals);
  const t = translator(locals.language, 'admin');
  const names = [...new Set(adminPages.map(({ group }) => group))];
  const pages = names.map((name) => ({
    label: t(`menu.groups.${name}`),
    items: adminPages
      .filter((page) => page.group === name && hasPage(locals.viewer, page.path))
      .map((page) => ({ href: to(page.path), label: t(`menu.${page.name}`), icon: page.icon })),
  }));
  const out: MenuGroup = {
    items: [
      {
        href: to('/account'),
        label: translator(locals.language, 'account')('menu'),
        icon: 'person',
      },
      {
        href: to('/connect'),
        label: translator(locals.language, 'common')('nav.connect'),
        icon: 'board',
      },
      { href: to('/'), label: t('menu.market'), icon: 'home' },
    ],
  };
  return [...pages.filter(({ items }) => items.length > 0), out];
}
