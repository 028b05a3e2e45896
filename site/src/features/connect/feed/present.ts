export { budgetText } from '../../../../../api/connect/rules.ts';

/** Where a post is about, from near to far, each place once. */
export function placeText({
  location,
  city,
  region,
}: {
  location: string | null;
  city: string | null;
  region: string | null;
}): string {
  return [...new Set([location, city, region].filter(Boolean))].join(', ');
}
