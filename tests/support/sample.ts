/** Edits a sample for a test; throws when the sample no longer has the expected text. */
export function replaced(text: string, changes: readonly (readonly [RegExp, string])[]): string {
  return changes.reduce((before, [what, by]) => {
    const after = before.replace(what, by);
    if (after === before) throw new Error(`The sample does not have ${what}`);
    return after;
  }, text);
}
