import { expect, test } from 'vitest';
import { incompleteListings, listings } from '../../db/seed/listings.ts';
import { pictures } from '../../db/seed/pictures/index.ts';

test('every drawing of the demo is shown by a listing', () => {
  const shown = new Set([...listings, ...incompleteListings].flatMap((listing) => listing.pictures.map(({ name }) => name)));
  expect(Object.keys(pictures).filter((name) => !shown.has(name as keyof typeof pictures))).toEqual([]);
});
