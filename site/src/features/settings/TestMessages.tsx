import type { InferResponseType } from 'hono/client';
import type { ApiClient } from '../../lib/api.ts';
import { dateTime } from '../../lib/format.ts';
import { queryClient } from '../../lib/query.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Note } from '../../ui/Note.tsx';
import { useAction } from '../actions/useAction.ts';
import { ReadState } from '../admin/ReadState.tsx';
import { messageOf, useAdminRead } from '../admin/screen.ts';
import type { SettingsScreen } from './values.ts';

type Tests = InferResponseType<ApiClient['admin']['settings']['test-messages']['$get'], 200>;
type Test = Tests['messages'][number];

const lookEveryMs = 2000;
const tones = { waiting: 'wait', sent: 'good', failed: 'bad', simulated: 'info' } as const;
const stateOf = ({ state, simulated }: Test): keyof typeof tones =>
  state === 'sent' && simulated ? 'simulated' : state;

/** Sends a test to the admin's own mailbox or chats, and shows its delivery (decision 021). */
export function TestMessages({ screen }: { screen: SettingsScreen }) {
  const { t, common, api, send, signIn } = screen;
  const read = useAdminRead<Tests>(
    screen,
    ['test-messages'],
    () => send(api.admin.settings['test-messages'].$get()),
    {
      refetchInterval: ({ state: { data } }: { state: { data?: Tests } }) =>
        data?.messages.some(({ state, waitsLong }) => state === 'waiting' && !waitsLong)
          ? lookEveryMs
          : false,
    },
  );
  const test = useAction({
    signIn,
    call: (way: Test['way']) => send(api.admin.settings['test-messages'].$post({ json: { way } })),
    once: true,
    success: () => t('test.sent'),
    onDone: (answer) => queryClient().setQueryData<Tests>(['test-messages'], answer),
    failure: (error) => ({ title: t('test.notSent'), description: messageOf(error) }),
  });
  return (
    <section className="panel stack">
      <h2>{t('test.title')}</h2>
      <p className="soft">{t('test.text')}</p>
      <ReadState
        read={read}
        loading={t('test.loading')}
        failed={t('test.loadFailed')}
        retry={common('retry')}
        shape="card"
        count={1}
      >
        {({ messages, simulated }) => (
          <>
            {simulated.mail && <Note>{t('test.simulatedMail')}</Note>}
            {simulated.chat && <Note>{t('test.simulatedChat')}</Note>}
            <div className="row">
              {(['mail', 'chat'] as const).map((way) => (
                <Button
                  key={way}
                  busy={test.isPending && test.variables === way}
                  onClick={() => test.mutate(way)}
                >
                  {t(`test.${way}`)}
                </Button>
              ))}
            </div>
            {messages.length > 0 && <h3>{t('test.results')}</h3>}
            <ul className="stack" aria-live="polite">
              {messages.map((message) => (
                <Result key={message.id} message={message} screen={screen} />
              ))}
            </ul>
          </>
        )}
      </ReadState>
    </section>
  );
}

function Result({ message, screen: { t, language } }: { message: Test; screen: SettingsScreen }) {
  const { way, channel, state, fault, reason, waitsLong, at } = message;
  const shown = stateOf(message);
  const mail = way === 'mail';
  const said = () => {
    if (shown === 'simulated')
      return t(mail ? 'test.says.simulatedMail' : 'test.says.simulatedChat');
    if (state === 'sent') return t(mail ? 'test.says.sentMail' : 'test.says.sentChat');
    if (state === 'failed') return t(`test.faults.${fault ?? 'other'}`);
    return t(waitsLong ? 'test.says.waitsLong' : 'test.says.waiting');
  };
  return (
    <li data-test={channel}>
      <div className="row row--apart">
        <strong>{t(`test.channels.${channel}`)}</strong>
        <Badge tone={tones[shown]}>{t(`test.states.${shown}`)}</Badge>
      </div>
      <p>{said()}</p>
      {reason && <p className="soft small">{t('test.answer', { reason })}</p>}
      <p className="soft small">{dateTime(at, language, 'exact')}</p>
    </li>
  );
}
