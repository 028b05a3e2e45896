import { translator } from '../../locales/index.ts';
import type { Key, Params } from '../../locales/keys.ts';
import type { Language } from '../../locales/languages.ts';

/** Sentences are in `errors.json`, statuses below; both are exhaustive by type. */
export type ErrorCode = Key<'errors'>;

const statuses = {
  400: [
    'malformedJson',
    'malformedAddress',
    'validation',
    'auth.providerFailed',
    'contact.consentRequired',
    'settings.markTooBig',
    'settings.markType',
    'settings.markUnreadable',
    'uploads.notImage',
    'uploads.cut',
    'uploads.wrongType',
    'uploads.tooMany',
    'uploads.tooManyPixels',
    'uploads.tooDemanding',
    'uploads.notFound',
    'alerts.empty',
    'push.unknownService',
  ],
  401: ['signInRequired', 'auth.invalidCredentials'],
  402: [
    'credits.neededForPost',
    'credits.neededForResponse',
    'credits.neededForUpdate',
    'payments.failed',
  ],
  403: [
    'forbidden',
    'originRefused',
    'auth.emailNotVerified',
    'auth.notAdmin',
    'auth.providerDenied',
    'auth.providerUnproven',
    'connect.notOwner',
    'auth.codeNeeded',
    'auth.signUpPasswordNeeded',
    'auth.adminRegistrationRestricted',
    'account.signInAgain',
    'account.otherSession',
    'account.demoEmail',
    'sellers.profileMissing',
    'sellers.suspended',
    'sellers.barred',
    'legal.notAgreed',
  ],
  404: [
    'notFound',
    'connect.notFound',
    'products.notFound',
    'sellers.notFound',
    'sellers.shopNotFound',
    'slots.notFound',
    'queue.notFound',
    'contact.notAvailable',
    'payments.notFound',
  ],
  405: ['methodNotAllowed'],
  409: [
    'conflict',
    'idempotencyMismatch',
    'products.notPending',
    'products.incomplete',
    'products.changed',
    'products.changeGone',
    'queue.noneAvailable',
    'slots.empty',
    'slots.taken',
    'slots.changed',
    'slots.paused',
    'slots.notPaused',
    'slots.expired',
    'queue.laneFull',
    'queue.alreadyAssigned',
    'queue.notWaiting',
    'queue.removed',
    'queue.changed',
    'queue.atTop',
    'queue.atBottom',
    'queue.notRestorable',
    'products.notLive',
    'products.notRelistable',
    'reports.alreadyReported',
    'alerts.tooMany',
    'push.off',
    'sellers.profileExists',
    'sellers.isSuspended',
    'sellers.isLeaving',
    'account.leaving',
    'legal.changed',
    'legal.published',
    'account.lastAdmin',
    'account.lastSignIn',
    'account.emailMissing',
    'account.emailThere',
    'account.emailSame',
    'settings.noMailbox',
    'settings.noChat',
    'team.already',
    'team.leaving',
    'team.notModerator',
    'team.sells',
    'team.nobody',
    'chats.numberMissing',
    'chats.numberKnown',
    'chats.numberClaimed',
    'chats.numberProven',
    'chats.onlyWayIn',
    'chats.noAccount',
    'drafts.changed',
    'drafts.submitted',
    'sellers.numberVerified',
    'sellers.numberMissing',
    'sellers.numberByTeam',
    'auth.emailTaken',
    'auth.signUpWaits',
    'auth.otherAddress',
    'auth.factorOn',
    'auth.factorOff',
    'chats.factorNeeded',
    'chats.adminsOwn',
    'connect.own',
    'connect.closed',
    'connect.updateClosed',
    'connect.noNumber',
    'connect.hidden',
    'connect.alreadyReported',
    'credits.belowZero',
    'payments.weeklyLimit',
    'payments.methodAway',
    'payments.notCash',
    'payments.feeNotDue',
    'payments.numberMissing',
    'payments.networkUnknown',
    'payments.rateMissing',
    'payments.notPaid',
    'payments.refundTooLarge',
    'payments.refundByHand',
    'payments.noStatement',
    'payments.statementUnreadable',
    'payments.statementLine',
    'payments.notCancellable',
    'payments.referenceUsed',
  ],
  408: ['uploads.tooSlow'],
  410: [
    'auth.linkExpired',
    'auth.linkUsed',
    'auth.linkInvalid',
    'auth.attemptOver',
    'account.exportGone',
    'chats.codeInvalid',
  ],
  413: ['payloadTooLarge', 'uploads.tooBig'],
  422: [
    'auth.passwordTooShort',
    'auth.passwordWrong',
    'auth.signUpPasswordWrong',
    'auth.codeWrong',
    'auth.codeUsed',
  ],
  429: [
    'tooManyRequests',
    'sellers.changedOften',
    'sellers.shopRenamedOften',
    'uploads.tooManyAtOnce',
    'uploads.tooOften',
    'auth.tooManyAttempts',
    'auth.challenge',
    'auth.wrongAnswer',
    'account.exportRunning',
    'account.exportOften',
    'payments.askedTooOften',
    'contact.rateLimited',
    'contact.challenge',
    'contact.wrongAnswer',
    'contact.tooEarly',
  ],
  421: ['wrongHost'],
  500: [
    'unexpected',
    'credits.transactionFailed',
    'queue.pushFailed',
    'contact.failed',
    'contact.lookupFailed',
  ],
  503: [
    'auth.providerAway',
    'auth.busy',
    'unavailable',
    'unconfirmed',
    'uploads.storageUnavailable',
    'uploads.busy',
    'upkeep.storageAway',
    'upkeep.interrupted',
    'upkeep.backupUnderWay',
  ],
  507: ['uploads.storageFull'],
} as const satisfies Record<number, readonly ErrorCode[]>;

type Listed = (typeof statuses)[keyof typeof statuses][number];
/** Shown on the health tab, never answered by a route (product §8). */
type Unanswered = Extract<ErrorCode, `health.${string}`>;
// A code without a status stops the compiler here.
const everyCodeHasAStatus: Exclude<ErrorCode, Listed | Unanswered> extends never
  ? true
  : Exclude<ErrorCode, Listed | Unanswered> = true;
void everyCodeHasAStatus;

export type RefusalStatus = keyof typeof statuses;
const statusByCode = new Map<string, RefusalStatus>(
  Object.entries(statuses).flatMap(([status, codes]) =>
    codes.map((code): [string, RefusalStatus] => [code, Number(status) as RefusalStatus]),
  ),
);

export const answeredCodes = [...statusByCode].sort(
  ([one, a], [other, b]) => a - b || one.localeCompare(other),
) as [Listed, RefusalStatus][];

/** `code` is a sentence of `validation.json`. */
export type FieldProblem = { path: string; code: Key<'validation'>; params?: Params };

/** Default `retry-after` in seconds; a restarted database answers within two. */
const usualWait: Partial<Record<Listed | 429 | 503, number>> = {
  'uploads.tooManyAtOnce': 30,
  'uploads.busy': 15,
  429: 60,
  503: 2,
};

/**
 * The only error thrown on purpose. Any other is a bug: logged in full, answered as `unexpected`.
 */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly status: RefusalStatus;
  /** Seconds. */
  readonly retryAfter: number | undefined;
  /** Data to continue with, such as a question to answer. */
  readonly details: Record<string, unknown> | undefined;
  readonly cookies: readonly string[];
  constructor(
    readonly code: Listed,
    readonly params: Params = {},
    readonly fields: FieldProblem[] = [],
    options?: ErrorOptions & {
      retryAfter?: number;
      details?: Record<string, unknown>;
      cookies?: readonly string[];
    },
  ) {
    super(code, options);
    this.details = options?.details;
    this.cookies = options?.cookies ?? [];
    this.status = statusByCode.get(code) ?? 500;
    this.retryAfter = options?.retryAfter ?? usualWait[code] ?? usualWait[this.status as 429 | 503];
  }
}

/** The JSON shape of every error, in the reader's language. */
export type ErrorBody = {
  error: {
    code: string;
    message: string;
    requestId: string;
    fields?: { path: string; code: string; message: string }[];
    details?: Record<string, unknown>;
  };
};

export function presentRefusal(refusal: Refusal, language: Language, requestId: string): ErrorBody {
  const sentence = translator(language, 'errors');
  const field = translator(language, 'validation');
  return {
    error: {
      code: refusal.code,
      message: sentence(refusal.code, { ...refusal.params, requestId }),
      requestId,
      ...(refusal.details ? { details: refusal.details } : {}),
      ...(refusal.fields.length
        ? {
            fields: refusal.fields.map(({ path, code, params }) => ({
              path,
              code,
              message: field(code, params),
            })),
          }
        : {}),
    },
  };
}
