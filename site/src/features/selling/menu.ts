import { translator } from '../../../../locales/index.ts';
import { linker } from '../../lib/paths.ts';
import type { MenuGroup } from '../../ui/menu.ts';

export function spaceMenu(locals: App.Locals): MenuGroup[] {
  const to = linker(locals);
  const s = translator(locals.language, 'seller');
  const common = translator(locals.language, 'common');
  const items: MenuGroup['items'] = [
    { href: to('/seller/dashboard'), label: s('dashboard.title'), icon: 'chart' },
    { href: to('/seller/products/upload'), label: s('meta.upload'), icon: 'plus' },
    { href: to('/account'), label: translator(locals.language, 'account')('menu'), icon: 'person' },
    { href: to('/connect'), label: common('nav.connect'), icon: 'board' },
    { href: to('/'), label: common('nav.market'), icon: 'home' },
  ];
  return [{ items }];
}
