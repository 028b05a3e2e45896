import type { Side } from '../../../../api/auth/rules.ts';
import { found } from '../../lib/api.ts';
import type { SignInWords } from './words.ts';

/** What {@link PlainSignIn} wants: the words of its door, and what a refused form left behind. */
export async function plainSignIn(locals: App.Locals, url: URL, { door, next, words }: { door: Side; next: string; words: SignInWords }) {
  const sealed = url.searchParams.get('kept');
  const kept = sealed === null ? undefined : await found(locals.api.auth['sign-in'].form.$get({ query: { kept: sealed } }));
  return {
    door,
    next,
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
