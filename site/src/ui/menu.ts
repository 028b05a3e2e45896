import type { IconName } from './icons.ts';

/** Links of a tool's side menu under one label; a group without a label stands alone. */
export type MenuGroup = {
  label?: string;
  items: readonly { href: string; label: string; icon?: IconName; count?: number }[];
};
