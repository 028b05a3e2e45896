/** Replaces French narrow and non-breaking spaces by ordinary ones. */
export const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f\u2009]/g, ' ');
