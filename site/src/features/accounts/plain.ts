import type { Side } from '../../../../api/auth/rules.ts';
import { found } from '../../lib/api.ts';
import type { doorOf } from './door.ts';
import type { SignInWords } from './words.ts';

type Door = { door: Side; words: SignInWords } & Pick<ReturnType<typeof doorOf>, 'next' | 'google'>;

/** Props of {@link PlainSignIn}: the words of its door, the way by Google, and what a refused form left behind. */
export async function plainSignIn(
  locals: App.Locals,
  url: URL,
  { door, next, google, words }: Door,
) {
  const sealed = url.searchParams.get('kept');
  const kept =
    sealed === null
      ? undefined
      : await found(locals.api.auth['sign-in'].form.$get({ query: { kept: sealed } }));
  return {
    door,
    next,
    google,
    words: {
      title: words.signInTitle,
      text: words.account?.signInText ?? '',
      email: words.email,
      emailPlaceholder: words.emailPlaceholder,
      password: words.password,
      submit: words.signIn,
    },
    // One that is too old, or was never sealed here, leaves an empty form.
    kept,
  };
}
