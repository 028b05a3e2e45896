import type { ComponentProps } from 'react';
import { TextInput } from '../../ui/Field.tsx';

type Props = ComponentProps<typeof TextInput>;

export const EmailField = (props: Props) => (
  <TextInput
    type="email"
    inputMode="email"
    required
    autoComplete="email"
    autoCapitalize="none"
    spellCheck={false}
    {...props}
  />
);

export const PasswordField = ({ shown = false, ...props }: Props & { shown?: boolean }) => (
  <TextInput
    type={shown ? 'text' : 'password'}
    required
    autoCapitalize="none"
    spellCheck={false}
    maxLength={200}
    {...props}
  />
);

export const NameField = (props: Props) => <TextInput required autoComplete="name" {...props} />;
export const WhatsappField = (props: Props) => (
  <TextInput type="tel" inputMode="tel" autoComplete="tel" {...props} />
);
