/**
 * Lists of words that both tables and inputs are checked against. Forms import them too, so this
 * file imports no other.
 */

/** Product categories, in display order (product §3). */
export const categories = [
  'electronics',
  'fashion',
  'home_garden',
  'sports',
  'books',
  'health_beauty',
  'automotive',
  'toys',
  'food',
  'other',
] as const;
/** Conditions of a product, best first (product §3); null where none was given. */
export const conditions = ['new', 'as_new', 'used', 'for_parts'] as const;
/** Categories whose products have no condition. */
export const categoriesWithoutCondition = ['food'] as const;
export const listingTypes = ['standard', 'featured'] as const;
export const paymentMethods = ['mtn_momo', 'orange_money', 'cash'] as const;

/** States of a listing's fee (product R31). */
export const feeStates = ['due', 'paid', 'waived', 'refunded'] as const;
export const queueNames = ['queue:featured', 'queue:regular'] as const;

/** Reasons for reporting a listing (product R27). */
export const reportReasons = [
  'fraud',
  'prohibited',
  'misleading',
  'unavailable',
  'offensive',
  'stolen',
  'other',
] as const;

/** Categories of Connect posts (product §11), in display order. */
export const postCategories = [
  'services_home',
  'services_business',
  'transportation',
  'delivery',
  'repairs',
  'cleaning',
  'events',
  'other',
] as const;
export const postStatuses = ['active', 'closed'] as const;
export const updateTypes = ['note', 'progress', 'found', 'closing'] as const;
export const postReportReasons = ['fraud', 'forbidden', 'number', 'other'] as const;

export const purchaseMethods = ['stripe', 'mobile_money', 'cash_partner'] as const;
export const purchaseStates = [
  'pending',
  'completed',
  'failed',
  'expired',
  'cancelled',
  'partly_refunded',
  'refunded',
] as const;
/** States of purchases that ended without credits. */
export const closedStates = ['failed', 'expired', 'cancelled'] as const;
/** States from which a purchase is still completed: a provider may say so late. */
export const unpaidStates = ['pending', 'failed', 'expired'] as const;
/** States of purchases whose credits are in the ledger. */
export const paidStates = ['completed', 'partly_refunded', 'refunded'] as const;
/** Mobile money networks that a payment can come from. */
export const paymentNetworks = ['mtn_momo', 'orange_money'] as const;
/** Reasons for which a provider fails a payment; each has a sentence in `connect.json`. */
export const paymentFailures = [
  'declined',
  'noFunds',
  'limit',
  'noWallet',
  'busy',
  'away',
  'mismatch',
  'other',
] as const;
/** Kinds of receipts, each with numbers of its own; those in test mode are for no money. */
export const receiptSeries = ['receipt', 'creditNote', 'testReceipt', 'testCreditNote'] as const;
/** States of a refund: one by hand is completed at once. */
export const refundStates = ['pending', 'completed', 'failed'] as const;
export const currencies = ['XAF', 'USD'] as const;

/** Results of a health check (product R28). */
export const healthStatuses = ['healthy', 'warning', 'error'] as const;
/** Reasons why a linked chat no longer acts for its account. */
export const closedWhys = ['numberChanged', 'unused'] as const;
/** States of a chat network's connection, as its process reports them. */
export const channelStates = ['starting', 'pairing', 'connected', 'failing', 'off'] as const;

/** Chat networks. */
export const transports = ['telegram', 'whatsapp'] as const;
/** `push`: the browsers of an account. */
export const outboxChannels = ['email', 'push', ...transports] as const;

/** How often an alert tells. */
export const alertPaces = ['now', 'day', 'week'] as const;

/** Kinds of requests about personal data. */
export const dataRequestKinds = ['see', 'correct', 'delete', 'object'] as const;

/** Kinds of things that an entry of the audit log can be about. */
export const subjectKinds = [
  'product',
  'slot',
  'seller',
  'queue',
  'settings',
  'user',
  'report',
  'job',
  'address',
  'post',
  'outage',
] as const;
