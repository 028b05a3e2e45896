import type { InferResponseType } from 'hono/client';
import { useState } from 'react';
import type { ApiClient } from '../../lib/api.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { TextInput } from '../../ui/Field.tsx';
import { Note } from '../../ui/Note.tsx';
import { useAction } from '../actions/useAction.ts';
import { ReadState } from '../admin/ReadState.tsx';
import { messageOf, useAdminRead } from '../admin/screen.ts';
import type { SettingsScreen } from './values.ts';

type Read = InferResponseType<ApiClient['admin']['team']['$get'], 200>;
type One = Read['team'][number];

/** Admins and moderators; an admin gives and takes the moderators' role (product R60). */
export function Team({ screen }: { screen: SettingsScreen }) {
  const { t, common, api, send, signIn } = screen;
  const [email, setEmail] = useState('');
  const [asked, setAsked] = useState<One | null>(null);
  const read = useAdminRead<Read>(screen, ['team'], () => send(api.admin.team.$get()));
  const give = useAction({
    signIn,
    call: (address: string) => send(api.admin.team.$post({ json: { email: address } })),
    success: (_, address) => ({ title: t('team.given'), description: address }),
    failure: (error) => ({ title: t('team.notGiven'), description: messageOf(error) }),
    invalidates: [['team']],
    onDone: () => setEmail(''),
  });
  const take = useAction({
    signIn,
    call: ({ id }: One) => send(api.admin.team[':id'].$delete({ param: { id } })),
    success: (_, { name }) => ({ title: t('team.taken'), description: name }),
    failure: (error) => ({ title: t('team.notTaken'), description: messageOf(error) }),
    close: () => setAsked(null),
    invalidates: [['team']],
  });
  const wrong = give.error && messageOf(give.error);
  return (
    <section className="panel stack" aria-labelledby="team-title">
      <h2 id="team-title">{t('team.title')}</h2>
      <p className="soft">{t('team.text')}</p>
      <ReadState
        read={read}
        loading={t('team.loading')}
        failed={t('team.loadFailed')}
        retry={common('retry')}
        shape="card"
        count={2}
      >
        {({ team }) => (
          <ul className="team">
            {team.map((one) => (
              <li key={one.id} className="row row--apart">
                <span className="row">
                  <strong dir="auto">{one.name}</strong>
                  <span className="soft">{one.email}</span>
                  <Badge tone={one.role === 'admin' ? 'info' : 'plain'}>
                    {t(`team.roles.${one.role === 'admin' ? 'admin' : 'moderator'}`)}
                  </Badge>
                  <Badge tone={one.factor ? 'good' : 'wait'}>
                    {t(one.factor ? 'team.factorOn' : 'team.factorOff')}
                  </Badge>
                </span>
                {one.role === 'moderator' && (
                  <Button
                    aria-label={`${t('team.take')}: ${one.name}`}
                    onClick={() => {
                      take.reset();
                      setAsked(one);
                    }}
                  >
                    {t('team.take')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </ReadState>
      <form
        className="stack"
        noValidate
        aria-label={t('team.give')}
        onSubmit={(event) => {
          event.preventDefault();
          if (!give.isPending) give.mutate(email.trim());
        }}
      >
        <TextInput
          label={t('team.email')}
          hint={t('team.emailHint')}
          type="email"
          inputMode="email"
          autoCapitalize="none"
          autoComplete="off"
          maxLength={254}
          value={email}
          readOnly={give.isPending}
          onChange={(event) => setEmail(event.target.value)}
        />
        <div role="alert">
          {wrong && (
            <Note tone="bad" title={t('team.notGiven')}>
              {wrong}
            </Note>
          )}
        </div>
        <div className="row">
          <Button type="submit" variant="primary" busy={give.isPending} disabled={!email.trim()}>
            {t('team.give')}
          </Button>
        </div>
      </form>
      <ConfirmDialog
        open={asked !== null}
        title={t('team.sure', { name: asked?.name ?? '' })}
        consequence={t('team.consequence')}
        confirmLabel={t('team.take')}
        cancelLabel={common('cancel')}
        closeLabel={common('close')}
        busy={take.isPending}
        error={take.error && messageOf(take.error)}
        onConfirm={() => asked && take.mutate(asked)}
        onClose={() => setAsked(null)}
      />
    </section>
  );
}
