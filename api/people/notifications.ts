import type { MailKind } from '../outbox/outbox.ts';
import type { Command } from '../shared/commands.ts';

/** Button below a notification in a chat: a command, for the notification's product if any. */
type Offer = Extract<
  Command,
  | 'listing'
  | 'relist'
  | 'sold'
  | 'responses'
  | 'balance'
  | 'pending'
  | 'reports'
  | 'reopen'
  | 'disown'
  | 'pauseAlert'
  | 'endAlert'
>;

type Rule = {
  /**
   * `mailbox`: proves or guards a mailbox, and goes only there. `always`: cannot be switched off.
   */
  reach: 'mailbox' | 'always' | 'optional';
  /** A line with a missing `perhaps` is left out. */
  params?: readonly string[];
  perhaps?: readonly string[];
  offers?: readonly Offer[];
  /** Sent to linked chats too, even with their notifications off. */
  chatsToo?: true;
  /** Never sent by mail. */
  chatsAlone?: true;
  /**
   * Goes to one channel: a chat, a browser or mail, and counts among a person's three messages a day
   * (daily.ts).
   */
  counted?: true;
  /** Not sent to the chat in which it was done: the answer there says the same. */
  answered?: true;
};

/** Delivery and values of every text of `mail.json`. */
export const notifications = {
  verifyEmail: { reach: 'mailbox' },
  verifyMember: { reach: 'mailbox' },
  resetPassword: { reach: 'mailbox' },
  signInLink: { reach: 'mailbox' },
  accountExists: { reach: 'mailbox' },
  confirmEmail: { reach: 'mailbox' },
  proveEmail: { reach: 'mailbox' },
  addressTaken: { reach: 'mailbox' },
  addressHeld: { reach: 'mailbox', params: ['date'] },
  emailChanged: { reach: 'mailbox', params: ['address', 'date'] },
  emailMoved: { reach: 'always', params: ['address'], chatsToo: true },
  emailTakenBack: { reach: 'mailbox' },
  emailTakenFrom: { reach: 'mailbox' },
  passwordChanged: { reach: 'always' },
  googleConnected: { reach: 'always' },
  googleDisconnected: { reach: 'always' },
  chatUnused: { reach: 'always', params: ['channel', 'days'] },
  chatNumberChanged: { reach: 'always', params: ['channel'] },
  chatBackAsked: {
    ...{ reach: 'always', params: ['channel'], perhaps: ['date'], chatsToo: true },
    offers: ['reopen', 'disown'],
  },
  chatOpened: { reach: 'always', params: ['channel'], chatsToo: true, answered: true },
  chatLinked: { reach: 'always', params: ['channel'], answered: true },
  deletionAsked: { reach: 'always', params: ['date'], perhaps: ['listings', 'posts'] },
  deletionKept: { reach: 'always', perhaps: ['listings', 'posts'] },
  accountDeleted: { reach: 'mailbox' },
  moderatorGiven: { reach: 'always' },
  moderatorTaken: { reach: 'always' },
  factorOn: { reach: 'always' },
  factorOff: { reach: 'always' },
  contactHarvest: {
    reach: 'always',
    params: ['products', 'live', 'address', 'most', 'began', 'runbook'],
    chatsToo: true,
  },
  alarmBegan: { reach: 'always', params: ['title', 'figure', 'began'], chatsToo: true },
  alarmOver: { reach: 'always', params: ['title', 'figure', 'began', 'over'], chatsToo: true },
  sellerSuspended: { reach: 'always', params: ['reason'] },
  sellerUnsuspended: { reach: 'always' },
  sellerDeleted: { reach: 'always' },
  sellerVerified: { reach: 'always', answered: true },
  verificationMoved: { reach: 'always' },
  numberTaken: { reach: 'always', chatsToo: true },
  postHidden: { reach: 'always', params: ['title', 'reason'] },
  postShown: { reach: 'always', params: ['title'] },
  postResponse: { reach: 'optional', params: ['title'], offers: ['responses'] },
  sellerNotification: { reach: 'always', params: ['subject', 'message'] },
  productRemoved: { reach: 'always', params: ['product'] },
  productReported: { reach: 'always', params: ['product'] },
  listingStopped: { reach: 'always', params: ['product', 'slot'] },
  productSubmitted: {
    reach: 'optional',
    params: ['product'],
    perhaps: ['fee', 'reference'],
    offers: ['listing'],
    answered: true,
  },
  productListed: {
    reach: 'optional',
    params: ['product', 'lane'],
    perhaps: ['fee', 'howToPay'],
    offers: ['listing'],
  },
  productCorrected: { reach: 'optional', params: ['product'], perhaps: ['fee', 'howToPay'] },
  productApproved: { reach: 'optional', params: ['product', 'lane'], offers: ['listing'] },
  productRejected: { reach: 'optional', params: ['product', 'reason'], offers: ['listing'] },
  changeApproved: { reach: 'optional', params: ['product'] },
  changeRejected: { reach: 'optional', params: ['product'], perhaps: ['reason'] },
  productLive: {
    reach: 'optional',
    params: ['product', 'slot', 'end'],
    offers: ['listing', 'sold'],
  },
  listingEndsSoon: {
    reach: 'optional',
    params: ['product', 'slot', 'end'],
    perhaps: ['fee'],
    offers: ['relist', 'sold'],
  },
  listingEnded: { reach: 'optional', params: ['product', 'slot'], offers: ['relist', 'sold'] },
  listingAgain: {
    reach: 'optional',
    params: ['product', 'slot'],
    perhaps: ['fee'],
    offers: ['listing', 'sold'],
  },
  listingRequeued: {
    reach: 'optional',
    params: ['product', 'slot', 'duration'],
    offers: ['listing'],
  },
  productRestored: { reach: 'optional', params: ['product'] },
  outageGivenBack: { reach: 'optional', params: ['product', 'slot', 'duration'], perhaps: ['end'] },
  overtaken: { reach: 'optional', params: ['products', 'count', 'why'] },
  creditsCorrected: { reach: 'always', params: ['amount', 'balance', 'reason'] },
  purchaseFailed: { reach: 'always', params: ['price', 'reference', 'reason'] },
  feePaid: {
    reach: 'always',
    params: ['product', 'price', 'reference', 'receipt'],
    perhaps: ['testNote'],
  },
  feePaidTwice: {
    reach: 'always',
    params: ['product', 'price', 'reference', 'receipt'],
    perhaps: ['testNote'],
  },
  creditsPurchased: {
    reach: 'optional',
    params: ['credits', 'price', 'reference', 'receipt'],
    perhaps: ['testNote'],
    offers: ['balance'],
  },
  testMail: { reach: 'always', params: ['when'] },
  testChat: { reach: 'always', params: ['when'], chatsToo: true, chatsAlone: true },
  adminNews: {
    reach: 'optional',
    perhaps: ['pending', 'reports', 'purchases'],
    offers: ['pending', 'reports'],
    chatsAlone: true,
  },
  purchaseRefunded: {
    reach: 'always',
    params: ['amount', 'purchase', 'reference', 'reason', 'receipt'],
    perhaps: ['credits'],
  },
  paymentInitiated: { reach: 'optional', params: ['credits', 'howToPay'] },
  alertFits: {
    reach: 'optional',
    params: ['what', 'products', 'end'],
    offers: ['pauseAlert', 'endAlert'],
    counted: true,
  },
  favouritesEndSoon: { reach: 'optional', params: ['products'], counted: true },
} as const satisfies Record<MailKind, Rule>;

type Named<K extends MailKind, F extends 'params' | 'perhaps'> =
  (typeof notifications)[K] extends Record<F, readonly (infer P extends string)[]> ? P : never;
export type ParamsOf<K extends MailKind> = { [P in Named<K, 'params'>]: string | number } & {
  [P in Named<K, 'perhaps'>]?: string | number;
};

export type OptionalKind = {
  [K in MailKind]: (typeof notifications)[K]['reach'] extends 'optional' ? K : never;
}[MailKind];
export const isOptional = (kind: MailKind): kind is OptionalKind =>
  notifications[kind].reach === 'optional';
/** The other optional kinds are for sellers. */
const forMembers: readonly OptionalKind[] = [
  'postResponse',
  'creditsPurchased',
  'paymentInitiated',
  'favouritesEndSoon',
  'alertFits',
];
const forAdmins: readonly OptionalKind[] = ['adminNews'];
export const concerns = (
  kind: OptionalKind,
  { sells, admin }: { sells: boolean; admin: boolean },
): boolean => (forAdmins.includes(kind) ? admin : sells || forMembers.includes(kind));
/** Kinds that count among a person's three messages a day. */
export const countedKinds = (Object.keys(notifications) as MailKind[]).filter(
  (kind) => 'counted' in notifications[kind],
);
export const optionalKinds = (Object.keys(notifications) as MailKind[]).filter(isOptional);
