/** The words of a name, and the number at its end, which stands on a plate. */
export function nameParts(name: string): { words: string; number: string } {
  const [, words = name, number = ''] = /^(.*\S) (\d{1,4})$/.exec(name) ?? [];
  return { words, number };
}

let given = '';

/** The name that the operator gave the market; empty for that of `brand.name`. */
export const givenName = (): string => given;

/** Called by `setBranding` alone. */
export const giveName = (name: string): void => {
  given = name;
};
