export { budgetText } from '../../../../../api/connect/rules.ts';

/** Place of a post from near to far, without duplicates. */
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
