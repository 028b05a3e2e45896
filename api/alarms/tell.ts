import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { notify } from '../people/notify.ts';
import { dayAndTime } from '../shared/format.ts';
import { networkNames } from '../shared/networks.ts';
import { type AlarmKind, alarmRules, type Finding } from './rules.ts';

export type Alarm = {
  kind: AlarmKind;
  subject: string;
  beganAt: Date;
  figures: Finding['figures'];
};

/** Without the language. */
export const runbookPath = (kind: AlarmKind): string => `admin/runbook#${alarmRules[kind].runbook}`;

/** In gigabytes, or megabytes below one. */
const sizeIn = (bytes: number, language: Language) => {
  const small = bytes < 1e9;
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: small ? 'megabyte' : 'gigabyte',
    maximumFractionDigits: small ? 0 : 1,
  }).format(bytes / (small ? 1e6 : 1e9));
};

export function alarmWords(
  { kind, subject, figures }: Omit<Alarm, 'beganAt'>,
  language: Language,
): { title: string; figure: string } {
  const t = translator(language, 'admin');
  const { date, checks, free, size } = figures;
  const params = {
    ...figures,
    ...(typeof date === 'string' ? { date: dayAndTime(new Date(date), language) } : {}),
    ...(typeof checks === 'string'
      ? {
          checks: checks
            .split(',')
            .map((name) => t(`health.checks.${name as 'database'}`))
            .join(', '),
        }
      : {}),
    ...(typeof free === 'number' && typeof size === 'number'
      ? { free: sizeIn(free, language), size: sizeIn(size, language) }
      : {}),
    network:
      subject === 'email' || subject === 'push'
        ? t(`alarms.${subject === 'email' ? 'mail' : 'push'}`)
        : (networkNames[subject as keyof typeof networkNames] ?? subject),
    folder: kind === 'diskFull' ? t(`alarms.folders.${subject as 'data'}`) : '',
  };
  const known =
    kind === 'backupOld'
      ? date !== undefined
      : kind === 'ruleBroken'
        ? figures.count !== undefined
        : kind !== 'deliveryFailed' || figures.count !== 0;
  const figure = known
    ? t(`alarms.figures.${kind}`, params)
    : t(`alarms.unknown.${kind as 'backupOld' | 'ruleBroken' | 'deliveryFailed'}`, params);
  return { title: t(`alarms.titles.${kind}`, params), figure };
}

const auditPath = ({ subject }: Alarm) => `admin/audit?subjectKind=address&subjectId=${subject}`;
const harvest = (
  { services }: Ctx,
  { kind, subject, figures, beganAt }: Alarm,
  language: Language,
) => ({
  products: figures.products ?? '',
  live: figures.live ?? '',
  most: figures.most ?? '',
  address: subject,
  began: dayAndTime(beganAt, language),
  runbook: `${services.env.publicUrl}/${language}/${runbookPath(kind)}`,
});

/** Notifies every admin in the transaction that stores the change. */
export async function tellAlarm(tx: Tx, alarm: Alarm, overAt?: Date): Promise<void> {
  const { user } = schema;
  const admins = await tx.db
    .select({ userId: user.id })
    .from(user)
    .where(and(eq(user.role, 'admin'), eq(user.emailVerified, true)));
  const path = runbookPath(alarm.kind);
  for (const admin of admins) {
    const words = (language: Language) => ({
      ...alarmWords(alarm, language),
      began: dayAndTime(alarm.beganAt, language),
    });
    if (alarm.kind === 'harvest' && !overAt)
      await notify(
        tx,
        admin,
        'contactHarvest',
        (language) => harvest(tx, alarm, language),
        auditPath(alarm),
      );
    else if (overAt)
      await notify(
        tx,
        admin,
        'alarmOver',
        (language) => ({ ...words(language), over: dayAndTime(overAt, language) }),
        path,
      );
    else await notify(tx, admin, 'alarmBegan', words, path);
  }
}

/** Log and error tracker work even when email and chat do not. */
export function reportAlarm(
  { services }: Pick<Ctx, 'services'>,
  { kind, subject, figures }: Alarm,
  what: 'began' | 'is over',
): void {
  services.log[what === 'began' ? 'error' : 'warn'](`The alarm ${kind} ${what}`, {
    kind,
    subject,
    figures,
  });
  services.reporter.report({
    source: 'server',
    kind: 'alarm',
    ...(what === 'is over' && { level: 'info' as const }),
    message: `The alarm ${kind} ${what}`,
    extra: { subject, figures, runbook: alarmRules[kind].runbook },
  });
}
