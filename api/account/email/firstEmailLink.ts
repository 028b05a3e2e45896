import { hashToken } from '../../auth/tokens.ts';

/** Prefix of the row of an add-email link; the address follows. */
export const linkName = (token: string) => `add-email:${hashToken(token)}:`;
