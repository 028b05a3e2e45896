const dayMs = 86_400_000;

/** Groups of the table, each with its sentences on the privacy page. */
export const dataKinds = [
  'account',
  'signIn',
  'selling',
  'photos',
  'connect',
  'contact',
  'visits',
  'messages',
  'chat',
  'payments',
  'reports',
  'log',
  'limits',
] as const;

/**
 * Days that data is kept after its last use. The jobs that delete read these same figures
 * (decision 078).
 */
export const keptDays = {
  limitCounters: 2,
  waitingSignUps: 3,
  expiredLinks: 2,
  contacts: 2,
  questions: 2 / 24,
  repeatedRequests: 30,
  payersNumbers: 2,
  postViews: 30 / (24 * 60),
  messagesToBot: 8,
  strangersChats: 90,
  numberTakings: 30,
  visits: 30,
  mails: 90,
  drafts: 30,
  unusedPhotos: 1,
  endedPhotos: 30,
  endedProducts: 365,
  removedProducts: 30,
  searchable: 30,
  oldShopAddresses: 365,
  leftMailAddresses: 7,
  leavingAccounts: 7,
  dataRequests: 3 * 365,
  alarms: 365,
  cleanupRuns: 365,
  healthChecks: 7,
} as const;

export type Period = keyof typeof keptDays;

export const keptMs = (period: Period): number => Math.round(keptDays[period] * dayMs);
