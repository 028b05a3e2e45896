import { useState } from 'react';
import { unwrap } from '../../lib/api.ts';
import { Checkbox } from '../../ui/Field.tsx';
import { useAction } from '../actions/useAction.ts';
import type { AccountScreen, OwnAccount } from './screen.ts';

type Kind = OwnAccount['letters'][number]['kind'];

/** Switches for optional emails, each saved at once and reverted on failure. */
export function MailSwitches({ screen, ready }: { screen: AccountScreen; ready: boolean }) {
  const { t, api, account, connection, signIn } = screen;
  const [letters, setLetters] = useState(account.letters);
  const set = (kind: Kind, on: boolean) =>
    setLetters((now) => now.map((row) => (row.kind === kind ? { kind, on } : row)));
  const turn = useAction({
    signIn,
    call: ({ kind, on }: { kind: Kind; on: boolean }) =>
      unwrap(api.account.letters[':kind'].$put({ param: { kind }, json: { on } }), connection),
    failure: ({ message }) => t('letters.failed', { message }),
    onRefused: (_, { kind, on }) => set(kind, !on),
  });
  return (
    <div className="own__switches">
      {letters.map(({ kind, on }) => (
        <Checkbox
          key={kind}
          name={kind}
          label={t(`letters.kinds.${kind}`)}
          checked={on}
          disabled={!ready}
          onChange={({ target }) => {
            set(kind, target.checked);
            turn.mutate({ kind, on: target.checked });
          }}
        />
      ))}
    </div>
  );
}
