import { dictionaries } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';

function agreementWords(language: Language) {
  const { before, terms, and, privacy } = dictionaries[language].legal.agreement;
  return { before, terms, and, privacy };
}

function resendWords(language: Language) {
  const { resend, resendIn, sent, resendFailed } = dictionaries[language].seller.verification;
  return { resend, resendIn, sent, resendFailed };
}
export type ResendWords = ReturnType<typeof resendWords>;

function offerWords(language: Language) {
  const { offer, send, sent } = dictionaries[language].seller.signInLink;
  return { offer, send, sent };
}
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
  const { seller, common } = dictionaries[language];
  const {
    signInTitle,
    signUpTitle,
    email,
    emailPlaceholder,
    password,
    passwordHint,
    signIn,
    signingIn,
    noCookies,
    toSignIn,
    toSignUp,
    welcomeBack,
  } = seller.auth;
  const {
    signInText,
    signUpText,
    name,
    namePlaceholder,
    signUp,
    signingUp,
    forgot,
    failed,
    createdToast,
    otherAsk,
    other,
  } = seller.auth;
  return {
    ...{
      signInTitle,
      signUpTitle,
      email,
      emailPlaceholder,
      password,
      passwordHint,
      signIn,
      signingIn,
      noCookies,
      toSignIn,
      toSignUp,
    },
    welcome: welcomeBack,
    connection: common.states.retry,
    offer: offerWords(language),
    account: {
      ...{
        signInText,
        signUpText,
        name,
        namePlaceholder,
        signUp,
        signingUp,
        forgot,
        failed,
        createdToast,
        otherAsk,
        other,
        agreement: agreementWords(language),
      },
      resend: resendWords(language),
      showPassword: common.a11y.showPassword,
    },
  };
}

export function sellerSignInWords(language: Language) {
  const { seller, errors, common } = dictionaries[language];
  const { whatsapp, whatsappPlaceholder, whatsappHint, location, locationPlaceholder } =
    seller.auth;
  const failed = {
    profileFailed: seller.profile.failedTitle,
    profileFailedText: errors.sellers.profileMissing,
  };
  return {
    ...accountWords(language),
    selling: {
      whatsapp,
      whatsappPlaceholder,
      whatsappHint,
      location,
      locationPlaceholder,
      place: { ...common.place, regions: common.regions },
      ...failed,
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
