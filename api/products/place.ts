import { regionOf } from '../shared/places/regionOf.ts';
import { splitLocation } from './rules.ts';

/** Columns of a product's place: the seller's own words, and the region that they give for sure. */
export const placeOf = (sellerLocation: string) => ({
  ...splitLocation(sellerLocation),
  sellerLocation,
  regionCode: regionOf(sellerLocation) ?? null,
});
