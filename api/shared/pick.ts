/** Copies some properties of an object. */
export const pick = <Whole extends object, Name extends keyof Whole>(
  whole: Whole,
  names: readonly Name[],
): Pick<Whole, Name> =>
  Object.fromEntries(names.map((name) => [name, whole[name]])) as Pick<Whole, Name>;
