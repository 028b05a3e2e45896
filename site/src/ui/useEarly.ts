import { useLayoutEffect, useState } from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Held = string | boolean;

const controlOf = (id: string) => document.getElementById(id) as Control | null;
const isTick = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.type === 'checkbox';
const heldBy = (control: Control): Held => (isTick(control) ? control.checked : control.value);
/** As a control holds it: a text area has no carriage returns. */
const asHeld = (value: unknown): Held =>
  typeof value === 'boolean' ? value : String(value ?? '').replaceAll(/\r\n?/g, '\n');

/**
 * Takes up what was typed or ticked in a control of the server's page before this script arrived: `onChange` hears of it as of any other
 * change. React itself writes over it with `given`, into a text area even while it hydrates: so the control is read ahead of that, when it is
 * first drawn. One that the browser draws by itself is not there yet, and nothing happens.
 * @param given what the control shall hold; an uncontrolled one keeps what is in it anyway
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
    // What was typed while React was at work is newer still.
    if (typeof early === 'string' && heldBy(control) === written) control.value = early;
    if (heldBy(control) !== written)
      onChange?.({ target: control, currentTarget: control } as never);
  }, []);
}

/**
 * Selects what is written into an empty control under the reader's caret, a profile or a draft that arrived late: what is typed next takes its
 * place, and does not join it.
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
