const minute = 60_000;
const gib = 1024 ** 3;

type AlarmRule = {
  /** Minimum duration of the trouble before the alarm begins. */
  beginsAfterMs: number;
  /** Its absence before the alarm ends. */
  overAfterMs: number;
  /** Anchor of the heading in docs/runbook.md. */
  runbook: string;
};

/** Every alarm (decision 062). */
export const alarmRules = {
  backupFailed: { beginsAfterMs: 0, overAfterMs: 0, runbook: 'the-nightly-backup-failed' },
  // 36 hours have passed already (health.backupLateMs).
  backupOld: { beginsAfterMs: 0, overAfterMs: 0, runbook: 'the-newest-backup-is-old' },
  // Evaluated once a night.
  ruleBroken: { beginsAfterMs: 0, overAfterMs: 0, runbook: 'a-rule-is-broken' },
  // Prevents flapping; several machines may judge their own disks in turn.
  diskFull: { beginsAfterMs: 0, overAfterMs: 30 * minute, runbook: 'the-disk-is-full' },
  // Two runs of the health checks.
  healthRed: {
    beginsAfterMs: 9 * minute,
    overAfterMs: 9 * minute,
    runbook: 'system-health-is-red',
  },
  deliveryFailed: {
    beginsAfterMs: 10 * minute,
    overAfterMs: 10 * minute,
    runbook: 'messages-are-not-delivered',
  },
  harvest: { beginsAfterMs: 0, overAfterMs: 30 * minute, runbook: 'somebody-collects-numbers' },
} as const satisfies Record<string, AlarmRule>;

export type AlarmKind = keyof typeof alarmRules;
export const alarmKinds = Object.keys(alarmRules) as AlarmKind[];

/** One subject's trouble, or figures between begin and end limits; unlisted subjects are well. */
export type Finding = {
  subject: string;
  state: 'bad' | 'between';
  figures: Record<string, string | number>;
};
/** An open alarm; without `beganAt` it is only suspected. */
export type AlarmState = { since: Date; beganAt: Date | null; clearSince: Date | null };
type Step = 'stay' | 'begin' | 'forget' | 'wait' | 'again' | 'clear' | 'over';

/**
 * Next step. `wait`: suspected from now; `clear`: gone from now; `again`: back before the end. A
 * clock set back restarts a delay instead of holding it forever.
 */
export function stepOf(
  kind: AlarmKind,
  state: AlarmState | undefined,
  found: Finding['state'] | undefined,
  now: Date,
): Step {
  const { beginsAfterMs, overAfterMs } = alarmRules[kind];
  if (found === 'between') return 'stay';
  if (!state) return found ? (beginsAfterMs === 0 ? 'begin' : 'wait') : 'stay';
  if (!state.beganAt) {
    if (!found) return 'forget';
    if (state.since > now) return 'wait';
    return now.getTime() - state.since.getTime() >= beginsAfterMs ? 'begin' : 'stay';
  }
  if (found) return state.clearSince ? 'again' : 'stay';
  if (overAfterMs === 0) return 'over';
  if (!state.clearSince || state.clearSince > now) return 'clear';
  return now.getTime() - state.clearSince.getTime() >= overAfterMs ? 'over' : 'stay';
}

/**
 * Bad below 5 % of the size or 1 GiB, whichever is more, but never above 10 %; well again at 1.5
 * times that.
 */
export function diskState({
  free,
  size,
}: {
  free: number;
  size: number;
}): Finding['state'] | undefined {
  const limit = Math.max(size / 20, Math.min(gib, size / 10));
  if (free < limit) return 'bad';
  return free < limit * 1.5 ? 'between' : undefined;
}

/** Recipients since a transport's last success, and in the last hour. */
export type Deliveries = {
  failedSince: number;
  failedHour: number;
  sentHour: number;
  down: boolean;
};

/**
 * Two failed recipients without a success between, or at least five and half of an hour's; one bad
 * address is not enough.
 */
export const deliveryFails = ({ failedSince, failedHour, sentHour, down }: Deliveries): boolean =>
  down || failedSince >= 2 || (failedHour >= 5 && failedHour >= sentHour);
