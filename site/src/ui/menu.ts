import type { IconName } from './icons.ts';

/** A group of links in a tool's side menu. */
export type MenuGroup = {
  label?: string;
  items: readonly { href: string; label: string; icon?: IconName; count?: number }[];
};
