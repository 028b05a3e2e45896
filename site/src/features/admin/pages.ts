import type { Dictionaries, Key } from '../../../../locales/keys.ts';
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
  { name: 'audit', path: '/admin/audit', icon: 'clock' },
  { name: 'settings', path: '/admin/settings', icon: 'gear' },
] as const satisfies readonly { name: Name; path: `/admin/${string}`; icon: IconName; heading?: Key<'admin'> }[];
export type AdminPageName = (typeof adminPages)[number]['name'];
