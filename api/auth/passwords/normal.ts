/** The form in which a password is hashed (NIST SP 800-63B): an accent can be typed in two. */
export const normalPassword = (password: string): string => password.normalize('NFKC');

/** The forms that a hash may be of: today's first, then those before passwords were normalized. */
export const formsOf = (password: string): string[] => [
  ...new Set([
    normalPassword(password),
    password,
    password.normalize('NFC'),
    password.normalize('NFD'),
  ]),
];
