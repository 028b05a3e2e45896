// The demo's phone numbers pass the market's rule (nine digits starting 6-9) but reach nobody:
// Cameroon's nine-digit plan uses 6, 2 and 88 (ART, ITU, since November 2014; libphonenumber:
// [26]\d{8}|88\d{6,7}), so +237 9 is unallocated.
export const nobody = (last: number): string => `+237954000${String(last).padStart(3, '0')}`;
