import type { Side } from '../../../../api/auth/rules.ts';
import { found } from '../../lib/api.ts';
import type { signInProps } from './signInPages.ts';
import type { SignInWords } from './words.ts';

type PlainSignIn = { door: Side; words: SignInWords } & Pick<
  ReturnType<typeof signInProps>,
  'next' | 'google'
>;

/** Props of {@link PlainSignIn}, with the values of a refused form. */
export async function plainSignIn(
  locals: App.Locals,
  url: URL,
  { door, next, google, words }: PlainSignIn,
) {
  const sealed = url.searchParams.get('kept');
  // Signed in, and yet a visitor: the browser did not keep the cookie.
  const blocked = url.searchParams.has('signed')
    ? { email: '', message: words.noCookies, fields: {} }
    : undefined;
  const kept =
    sealed === null
      ? blocked
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
    // Undefined if expired or not sealed by this server.
    kept,
  };
}
