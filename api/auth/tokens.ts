import { createHash, randomBytes } from 'node:crypto';

export const hashToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');
/** 256 bits by chance, as they stand in a mailed link. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/**
 * How a link of better-auth's, `reset-password:<token>` to it, is called in the database. It looks for that name in clear as well, so the stored one begins
 * with another word: what is read in a row opens nothing.
 */
export const storedLink = (identifier: string): string => {
  const end = identifier.indexOf(':') + 1;
  return `hashed:${identifier.slice(0, end)}${hashToken(identifier.slice(end))}`;
};
/** The row of a link for a new password. */
export const storedReset = (token: string): string => storedLink(`reset-password:${token}`);
/** What all of them begin with. */
export const storedResets = 'hashed:reset-password:';
