import { useLayoutEffect, useState } from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Held = string | boolean;

const controlOf = (id: string) => document.getElementById(id) as Control | null;
const isTick = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.type === 'checkbox';
const heldBy = (control: Control): Held => (isTick(control) ? control.checked : control.value);
/** As a control holds it: text areas drop carriage returns. */
const asHeld = (value: unknown): Held =>
  typeof value === 'boolean' ? value : String(value ?? '').replaceAll(/\r\n?/g, '\n');

/**
 * Passes input typed before hydration to `onChange`. React overwrites it with `given`, in a text
 * area even while hydrating, so the control is read at the first render.
 * @param given value the control will get; an uncontrolled one keeps its own
 */
export function useEarly(
  id: string,
  given: unknown,
  onChange: ((event: never) => unknown) | undefined,
): void {
  const [early] = useState(() => {
    const control = given === undefined || typeof document === 'undefined' ? null : controlOf(id);
    return control && heldBy(control);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the script takes over
  useLayoutEffect(() => {
    const control = controlOf(id);
    if (early === null || !control) return;
    const written = asHeld(given);
    // Input during hydration is newer still.
    if (typeof early === 'string' && heldBy(control) === written) control.value = early;
    if (heldBy(control) !== written)
      onChange?.({ target: control, currentTarget: control } as never);
  }, []);
}

/**
 * Selects a value that arrives late (a profile, a draft) in an empty focused control, so that
 * typing replaces it.
 */
export function useLate(id: string, given: unknown): void {
  const focused =
    given && typeof document !== 'undefined' && document.activeElement?.id === id
      ? controlOf(id)
      : null;
  const isLate = focused?.value === '';
  useLayoutEffect(() => {
    if (isLate && focused && 'select' in focused) focused.select();
  });
}
