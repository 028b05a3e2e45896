/** Regions of Cameroon as stored codes, in the order lists show them. */
export const regions = [
  'adamawa',
  'centre',
  'east',
  'far-north',
  'littoral',
  'north',
  'north-west',
  'south',
  'south-west',
  'west',
] as const;
export type Region = (typeof regions)[number];
