const minute = 60_000;
const gib = 1024 ** 3;

type AlarmRule = {
  /** Milliseconds that the trouble must hold before it is an alarm. */
  beginsAfterMs: number;
  /** Milliseconds without it before the alarm is over. */
  overAfterMs: number;
  /** The heading of docs/runbook.md that says what to do, as an anchor. */
  runbook: string;
};

/** Every alarm: how long its trouble must hold and be away, and where the runbook says what to do (decision 062). */
export const alarmRules = {
  backupFailed: { beginsAfterMs: 0, overAfterMs: 0, runbook: 'the-nightly-backup-failed' },
  // 36 hours have passed already (health.backupLateMs).
  backupOld: { beginsAfterMs: 0, overAfterMs: 0, runbook: 'the-newest-backup-is-old' },
  // Looked at once a night.
  ruleBroken: { beginsAfterMs: 0, overAfterMs: 0, runbook: 'a-rule-is-broken' },
  // A band between beginning and end keeps it from flapping; several machines may judge disks of their own in turn.
  diskFull: { beginsAfterMs: 0, overAfterMs: 30 * minute, runbook: 'the-disk-is-full' },
  // Two runs of the checks.
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

/** What a kind's look found: trouble, or figures between where it begins and where it ends. Subjects that are not named are well. */
export type Finding = {
  subject: string;
  state: 'bad' | 'between';
  figures: Record<string, string | number>;
};
/** An alarm that is not over; without `beganAt` it is only suspected. */
export type AlarmState = { since: Date; beganAt: Date | null; clearSince: Date | null };
type Step = 'stay' | 'begin' | 'forget' | 'wait' | 'again' | 'clear' | 'over';

/**
 * Decides what becomes of an alarm. `wait`: the trouble is suspected from now on; `clear`: it is away from now on; `again`: it is back
 * before the alarm was over. A clock that was set back starts a wait again instead of holding it for ever.
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
 * How full a disk is. Bad below a twentieth of its size and below 1 GiB, but never for less than a tenth of a small one; well again at
 * one and a half times that.
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

/** What became of a network's messages since it last accepted one, and in the last hour. */
export type Deliveries = {
  failedSince: number;
  failedHour: number;
  sentHour: number;
  down: boolean;
};

/** Whether a network fails, and not only the address of one person: two recipients without a success between, or most of five and more. */
export const deliveryFails = ({ failedSince, failedHour, sentHour, down }: Deliveries): boolean =>
  down || failedSince >= 2 || (failedHour >= 5 && failedHour >= sentHour);

/** An alarm that was over for so long is deleted. */
export const alarmKeptMs = 365 * 86_400_000;
