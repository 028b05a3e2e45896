import type { healthStatuses } from '../../db/vocabularies.ts';
/** Constants of upkeep (product §4, §9). */
export const health = {
  everyMinutes: 5,
  /** Warnings above these; the message names the target. */
  databaseWarningMs: 1000,
  queryWarningMs: 2000,
  queryTargetMs: 500,
  /** A night's backup, and half a day for the next. */
  backupLateMs: 36 * 3_600_000,
} as const;

export type HealthStatus = (typeof healthStatuses)[number];

/** In display order. */
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

/** Badges of the dashboard (product §2; product R28: measured, not painted). */
export const badgeNames = [
  'database',
  'storage',
  'analytics',
  'realtime',
] as const satisfies readonly CheckName[];

/** The worst status (product §4). */
export function overallStatus(statuses: readonly HealthStatus[]): HealthStatus {
  if (statuses.includes('error')) return 'error';
  return statuses.includes('warning') ? 'warning' : 'healthy';
}

/** Estimate of product §9: 0.5 MB an image against 1000 MB. */
export const storageEstimate = { bytesPerImage: 500_000, totalBytes: 1_000_000_000 } as const;

export type StorageStatus = 'optimal' | 'moderate' | 'high';

/** From product §4. */
export function storageStatus(percent: number): StorageStatus {
  if (percent >= 80) return 'high';
  return percent >= 60 ? 'moderate' : 'optimal';
}

/** Above 80 percent, not at it (product §4). */
export const storageWarns = (percent: number): boolean => percent > 80;
