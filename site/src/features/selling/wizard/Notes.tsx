import { useState } from 'react';
import type { Language } from '../../../../../locales/languages.ts';
import { bytes, dateTime } from '../../../lib/format.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { Note } from '../../../ui/Note.tsx';
import type { Photo } from './photos.ts';
import type { StepProps } from './step.ts';
import type { Blocked } from './useSubmission.ts';

type T = Pick<StepProps, 't'>;

export function DraftFound({
  language,
  t,
  at,
  busy,
  onDiscard,
}: T & { language: Language; at: number; busy: boolean; onDiscard: () => void }) {
  return (
    <Note
      action={
        <Button compact disabled={busy} onClick={onDiscard}>
          {t('draftDiscard')}
        </Button>
      }
    >
      {t('draftFound', { date: dateTime(at, language) })}
    </Note>
  );
}

/** The account's draft changed elsewhere while this page has changes too; the user chooses. */
export function DraftElsewhere({
  language,
  t,
  at,
  busy,
  onTakeUp,
}: T & { language: Language; at: string; busy: boolean; onTakeUp: () => void }) {
  return (
    <Note
      tone="wait"
      action={
        <Button compact disabled={busy} onClick={onTakeUp}>
          {t('draftTakeUp')}
        </Button>
      }
    >
      {t('draftElsewhere', { date: dateTime(at, language) })}
    </Note>
  );
}

export function AlreadySent({
  t,
  dashboard,
  onAnother,
}: T & { dashboard: string; onAnother: () => void }) {
  return (
    <Note
      tone="wait"
      title={t('failed.already')}
      action={
        <span className="row">
          <ButtonLink compact variant="primary" href={dashboard}>
            {t('success.toDashboard')}
          </ButtonLink>
          <Button compact onClick={onAnother}>
            {t('success.another')}
          </Button>
        </span>
      }
    >
      {t('failed.alreadyText')}
    </Note>
  );
}

/** A product that its owner has submitted without a network, and what sending it will cost. */
export function Waiting({
  language,
  t,
  photos,
  onStop,
}: T & { language: Language; photos: readonly Photo[]; onStop: () => void }) {
  // As it was when the waiting began: a screen reader reads each change.
  const [size] = useState(() =>
    photos.reduce((sum, { state, size: of }) => (state === 'sent' ? sum : sum + of), textBytes),
  );
  return (
    <Note
      tone="wait"
      title={t('waiting.title')}
      action={
        <Button compact onClick={onStop}>
          {t('waiting.stop')}
        </Button>
      }
    >
      {t('waiting.text', { size: bytes(size, language) })}
    </Note>
  );
}
/** A product without its photos, with what the network adds. */
const textBytes = 4000;

export function Problem({ t, blocked, signIn }: T & { blocked: Blocked; signIn: string }) {
  return (
    <Note
      tone="bad"
      title={blocked.title}
      action={
        blocked.signIn && (
          <ButtonLink compact href={signIn}>
            {t('signIn')}
          </ButtonLink>
        )
      }
    >
      {blocked.text}
    </Note>
  );
}
