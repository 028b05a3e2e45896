import type { ComponentProps } from 'react';
import { TextInput } from '../../ui/Field.tsx';

const focus = (input: HTMLInputElement | null) => input?.focus();

/** Second-factor field: six digits or a backup code. Takes the focus when it appears. */
export const CodeField = (props: ComponentProps<typeof TextInput>) => (
  <TextInput
    ref={focus}
    required
    autoComplete="one-time-code"
    autoCapitalize="none"
    autoCorrect="off"
    spellCheck={false}
    maxLength={40}
    {...props}
  />
);
