/** French puts narrow and non-breaking spaces before its signs; tests are written with ordinary ones. */
export const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f\u2009]/g, ' ');
