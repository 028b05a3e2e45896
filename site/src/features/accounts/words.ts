import { pick } from '../../../../api/shared/pick.ts';
import { dictionaries } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';

const resendWords = (language: Language) =>
  pick(dictionaries[language].seller.verification, ['resend', 'resendIn', 'sent', 'resendFailed']);
export type ResendWords = ReturnType<typeof resendWords>;

const offerWords = (language: Language) =>
  pick(dictionaries[language].seller.signInLink, ['offer', 'send', 'sent']);
export type OfferWords = ReturnType<typeof offerWords>;

/**
 * Words of a sign-in form. `account`: where sign-up is possible; `selling` and `admin`: for those
 * sides only.
 */
export type SignInWords = Omit<AccountWords, 'account'> & {
  account?: AccountWords['account'];
  selling?: ReturnType<typeof sellerSignInWords>['selling'];
  admin?: ReturnType<typeof adminSignInWords>['admin'];
};
type AccountWords = ReturnType<typeof accountWords>;

function accountWords(language: Language) {
  const { seller, common, legal } = dictionaries[language];
  return {
    ...pick(seller.auth, [
      'signInTitle',
      'signUpTitle',
      'email',
      'emailPlaceholder',
      'password',
      'passwordHint',
      'signIn',
      'signingIn',
      'noCookies',
      'toSignIn',
      'toSignUp',
    ]),
    welcome: seller.auth.welcomeBack,
    connection: common.states.retry,
    offer: offerWords(language),
    account: {
      ...pick(seller.auth, [
        'signInText',
        'signUpText',
        'name',
        'namePlaceholder',
        'signUp',
        'signingUp',
        'forgot',
        'failed',
        'createdToast',
        'otherAsk',
        'other',
      ]),
      agreement: pick(legal.agreement, ['before', 'terms', 'and', 'privacy']),
      resend: resendWords(language),
      showPassword: common.a11y.showPassword,
    },
  };
}

export function sellerSignInWords(language: Language) {
  const { seller, errors, common } = dictionaries[language];
  return {
    ...accountWords(language),
    selling: {
      ...pick(seller.auth, [
        'whatsapp',
        'whatsappPlaceholder',
        'whatsappHint',
        'location',
        'locationPlaceholder',
      ]),
      place: { ...common.place, regions: common.regions },
      profileFailed: seller.profile.failedTitle,
      profileFailedText: errors.sellers.profileMissing,
    },
  };
}

export function memberSignInWords(language: Language) {
  const words = accountWords(language);
  const { signUpTitle, toSignUp, required: _, ...own } = dictionaries[language].members.auth;
  return { ...words, signUpTitle, toSignUp, account: { ...words.account, ...own } };
}

export function adminSignInWords(language: Language) {
  const {
    title,
    signUpTitle,
    email,
    emailPlaceholder,
    password,
    passwordHint,
    submit,
    submitting,
    toSignIn,
    toSignUp,
    success,
    unknownError,
    ...admin
  } = dictionaries[language].admin.auth;
  return {
    ...{ signUpTitle, email, emailPlaceholder, password, passwordHint, toSignIn, toSignUp },
    signInTitle: title,
    signIn: submit,
    signingIn: submitting,
    noCookies: dictionaries[language].seller.auth.noCookies,
    welcome: success,
    connection: unknownError,
    offer: offerWords(language),
    admin,
  };
}
