import type { IconName } from './icons.ts';

export type MenuGroup = {
  label?: string;
  items: readonly { href: string; label: string; icon?: IconName; count?: number }[];
};
