// The demo's phone numbers pass the marketplace's rule (nine digits starting 6-9) and reach nobody. Since November 2014 Cameroon's
// nine-digit plan gives 6 to mobile, 2 to fixed lines and 88 to toll-free numbers (ART, ITU; libphonenumber: [26]\d{8}|88\d{6,7}).
// Nothing nine digits long starts with 9, so the whole +237 9 range is unallocated.
export const nobody = (last: number): string => `+237954000${String(last).padStart(3, '0')}`;
