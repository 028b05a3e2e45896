import type { ComponentProps } from 'react';
import { TextInput } from '../../ui/Field.tsx';

const focus = (input: HTMLInputElement | null) => input?.focus();

/** Where the code of a second factor is typed: six digits of the phone, or a backup code. Asked for at last, it has the focus as it appears. */
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
