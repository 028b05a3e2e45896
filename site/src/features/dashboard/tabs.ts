/** Tab names in the address: `?tab=integrity`. */
const tabNames = ['overview', 'integrity', 'health'] as const;
export type TabName = (typeof tabNames)[number];
export const isTab = (name: string | null): name is TabName =>
  tabNames.some((known) => known === name);
