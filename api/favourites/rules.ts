/** Products that one account, or one browser without an account, keeps; the oldest make room. */
export const mostKept = 50;

const code = /^[0-9a-f]{8}$/;

/** Product codes in a browser's cookie, oldest first. Ignores what is none. */
export const codesIn = (written: string): string[] =>
  [...new Set(written.split('.').filter((part) => code.test(part)))].slice(-mostKept);

/** The cookie without a code, or with it as the newest. */
export const withCode = (codes: readonly string[], one: string): string[] =>
  [...withoutCode(codes, one), one].slice(-mostKept);
export const withoutCode = (codes: readonly string[], one: string): string[] =>
  codes.filter((kept) => kept !== one);
