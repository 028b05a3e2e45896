import { dictionaries } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';

/** What is said about a new verification mail. */
function resendWords(language: Language) {
  const { resend, resendIn, sent, resendFailed } = dictionaries[language].seller.verification;
  return { resend, resendIn, sent, resendFailed };
}
export type ResendWords = ReturnType<typeof resendWords>;

/** What is said where the way in is a mailed link. */
function offerWords(language: Language) {
  const { offer, send, sent } = dictionaries[language].seller.signInLink;
  return { offer, send, sent };
}
export type OfferWords = ReturnType<typeof offerWords>;

/** What the door says to both, and `seller` or `admin` what it says to one of them alone. */
export type SignInWords = Omit<SellerWords, 'seller'> & { seller?: SellerWords['seller']; admin?: ReturnType<typeof adminSignInWords>['admin'] };
type SellerWords = ReturnType<typeof sellerSignInWords>;

export function sellerSignInWords(language: Language) {
  const { seller, common, errors } = dictionaries[language];
  const { signInTitle, signUpTitle, email, emailPlaceholder, password, passwordHint, signIn, signingIn, toSignIn, toSignUp, welcomeBack, ...own } = seller.auth;
  return {
    ...{ signInTitle, signUpTitle, email, emailPlaceholder, password, passwordHint, signIn, signingIn, toSignIn, toSignUp },
    welcome: welcomeBack,
    connection: common.states.retry,
    offer: offerWords(language),
    seller: {
      ...own,
      resend: resendWords(language),
      showPassword: common.a11y.showPassword,
      profileFailed: seller.profile.failedTitle,
      profileFailedText: errors.sellers.profileMissing,
    },
  };
}

export function adminSignInWords(language: Language) {
  const { title, signUpTitle, email, emailPlaceholder, password, passwordHint, submit, submitting, toSignIn, toSignUp, success, unknownError, ...admin } =
    dictionaries[language].admin.auth;
  return {
    ...{ signUpTitle, email, emailPlaceholder, password, passwordHint, toSignIn, toSignUp },
    signInTitle: title,
    signIn: submit,
    signingIn: submitting,
    welcome: success,
    connection: unknownError,
    offer: offerWords(language),
    admin,
  };
}
