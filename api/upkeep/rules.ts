/** Constants of upkeep (product §4, §9). */
export const health = {
  everyMinutes: 5,
  /** Above these, in milliseconds, a warning; the target of a query is told beside it. */
  databaseWarningMs: 1000,
  queryWarningMs: 2000,
  queryTargetMs: 500,
  /** A night's backup and half a day for the next. */
  backupLateMs: 36 * 3_600_000,
} as const;

const healthStatuses = ['healthy', 'warning', 'error'] as const;
export type HealthStatus = (typeof healthStatuses)[number];

/** What is checked, in the order in which it is shown. */
export const checkNames = [
  'database',
  'storage',
  'authentication',
  'rls',
  'integrity',
  'performance',
  'queue',
  'jobs',
  'mail',
  'analytics',
  'outages',
  'realtime',
  'backup',
] as const;
export type CheckName = (typeof checkNames)[number];

/** The checks behind the badges of the dashboard (product §2; product R28: measured, not painted). */
export const badgeNames = [
  'database',
  'storage',
  'analytics',
  'realtime',
] as const satisfies readonly CheckName[];

/** Error if any check is an error, else warning if any is a warning (product §4). */
export function overallStatus(statuses: readonly HealthStatus[]): HealthStatus {
  if (statuses.includes('error')) return 'error';
  return statuses.includes('warning') ? 'warning' : 'healthy';
}

const dayMs = 86_400_000;

/** The cleanup's limits (product §4, §9): photos after a listing's end, records after it or after a rejection, files that belong to nothing. */
export const keeps = {
  imagesMs: 30 * dayMs,
  recordsMs: 365 * dayMs,
  orphanedFilesMs: dayMs,
} as const;

/** The storage estimate (product §9): 0.5 MB an image against 1000 MB. */
export const storageEstimate = { bytesPerImage: 500_000, totalBytes: 1_000_000_000 } as const;

export type StorageStatus = 'optimal' | 'moderate' | 'high';

/** Optimal under 60 percent, Moderate from 60 to under 80, High Usage at 80 and above (product §4). */
export function storageStatus(percent: number): StorageStatus {
  if (percent >= 80) return 'high';
  return percent >= 60 ? 'moderate' : 'optimal';
}

/** A warning above 80 percent, not at it (product §4). */
export const storageWarns = (percent: number): boolean => percent > 80;

/**
 * Whether what looks orphaned is too much to be true: a storage that is looked at with the wrong database would lose every photo.
 * @param orphaned how many files belong to nothing
 * @param all how many files there are
 */
export const looksLikeAnotherMarkets = (orphaned: number, all: number): boolean =>
  orphaned > 50 && orphaned > all / 2;
