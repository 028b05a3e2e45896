import type { Dictionaries } from '../../../../locales/keys.ts';
import type { Language } from '../../../../locales/languages.ts';
import type { OpenedProps } from './dialogProps.ts';

type Words = Dictionaries['connect']['auth'];
const files = import.meta.glob<Words>('../../../../locales/*/connect.json', {
  eager: true,
  import: 'auth',
});
export const authWords = (language: Language) =>
  files[`../../../../locales/${language}/connect.json`] as Words;

/** Sign-in address that returns to the open dialog. */
export const signInHere = ({ signIn }: OpenedProps['links']): string =>
  `${signIn}?next=${encodeURIComponent(location.pathname + location.search)}`;

/** 'Authentication Required' in a dialog whose session has ended; typed text is kept. */
export function SignInAgain({ language, links }: Pick<OpenedProps, 'language' | 'links'>) {
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
