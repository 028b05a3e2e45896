import { createHash, randomBytes } from 'node:crypto';

export const hashToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');
/** 256 random bits, safe in a URL. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/**
 * Stored name of better-auth's `reset-password:<token>`. better-auth also looks up the plain name,
 * so the stored one starts with another word: a leaked row opens nothing.
 */
export const storedLink = (identifier: string): string => {
  const end = identifier.indexOf(':') + 1;
  return `hashed:${identifier.slice(0, end)}${hashToken(identifier.slice(end))}`;
};
export const storedReset = (token: string): string => storedLink(`reset-password:${token}`);
export const storedResets = 'hashed:reset-password:';
