import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import type { PartProps } from './ConnectDialogs.tsx';
import { dialogWords } from './words.ts';

type Words = Dictionaries['connect']['auth'];
const files = import.meta.glob<Words>('../../../../locales/*/connect.json', { eager: true, import: 'auth' });
export const authWords = (language: Language) => files[`../../../../locales/${language}/connect.json`] as Words;

/** Where to sign in, and come back from to the open dialog. */
export const signInHere = ({ signIn }: PartProps['links']): string => `${signIn}?next=${encodeURIComponent(location.pathname + location.search)}`;

/** 'Authentication Required', to whoever is not signed in (product §11). */
export default function SignInDialog({ language, links, asked, open, onClose }: PartProps) {
  const words = authWords(language);
  const common = dialogWords(language);
  return (
    <Dialog
      open={open}
      title={words.title}
      closeLabel={common.close}
      onClose={onClose}
      actions={
        open && (
          <ButtonLink variant="primary" href={signInHere(links)} data-first="">
            {words.signIn}
          </ButtonLink>
        )
      }
    >
      <p>
        {words[asked === 'buy' ? 'buy' : 'respond']} {words.back}
      </p>
    </Dialog>
  );
}

/** The same in a dialog whose session ended while it was open: nothing that was typed is lost. */
export function SignInAgain({ language, links }: Pick<PartProps, 'language' | 'links'>) {
  const words = authWords(language);
  return (
    <>
      <strong>{words.title}</strong>
      <p>
        {words.respond} {words.kept}
      </p>
      <a href={signInHere(links)}>{words.signIn}</a>
    </>
  );
}
