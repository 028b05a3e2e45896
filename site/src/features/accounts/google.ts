import { googleReasons, type SignInPage } from '../../../../api/auth/schema.ts';
import { dictionaries, translator } from '../../../../locales/index.ts';

/** Button for Google sign-in that returns to a page; undefined when not configured. */
export function googleButton(
  { google, language, prefixed }: App.Locals,
  door: SignInPage,
  next?: string,
) {
  if (!google) return undefined;
  const query = new URLSearchParams({
    door,
    ...(next === undefined ? {} : { next }),
    ...(prefixed ? { language } : {}),
  });
  const { google: label, or } = dictionaries[language].seller.auth;
  return { href: `/api/auth/google?${query}`, label, or };
}

/** Message for a failed Google sign-in, from the address. */
export function googleSaid(
  { language }: App.Locals,
  { searchParams }: URL,
): { tone: 'bad'; text: string } | undefined {
  const reason = searchParams.get('google') ?? '';
  if (!Object.hasOwn(googleReasons, reason)) return undefined;
  return {
    tone: 'bad',
    text: translator(language, 'errors')(googleReasons[reason as keyof typeof googleReasons]),
  };
}
