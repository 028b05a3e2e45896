import { TextInput } from '../../ui/Field.tsx';

type Props = { label: string; hint: string; error: string | undefined; readOnly: boolean };

/** Where the code of a second factor is typed: six digits of the phone, or a backup code. */
export const CodeField = (props: Props) => (
  <TextInput {...props} name="code" required autoComplete="one-time-code" autoCapitalize="none" autoCorrect="off" spellCheck={false} maxLength={40} />
);
