import type { InferResponseType } from 'hono/client';
import { useState } from 'react';
import { type ApiClient, unwrap } from '../../lib/api.ts';
import { dateTime } from '../../lib/format.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Note } from '../../ui/Note.tsx';
import { useAction } from '../actions/useAction.ts';
import type { ChatWay } from '../chat/ways.ts';
import type { chatScreenOf, OwnAccount } from './screen.ts';
import type { ChatWords } from './words.ts';

export type Chat = NonNullable<OwnAccount['chats']>[number];
type Code = InferResponseType<ApiClient['chats']['code']['$post'], 200>;
type ChatScreen = ReturnType<typeof chatScreenOf<ChatWords>>;
type Props = { screen: ChatScreen; chats: Chat[]; ways: ChatWay[]; ready: boolean };

/** Linked chats: notifications, unlinking, and the code that links another. */
export function Chats({ screen, chats, ways, ready }: Props) {
  const { t, api, connection, signIn, language, again } = screen;
  const [code, setCode] = useState<Code | null>(null);
  const failure = ({ message }: Error) => t('chats.failed', { message });
  const unlink = useAction({
    signIn,
    call: (id: string) => unwrap(api.chats[':id'].$delete({ param: { id } }), connection),
    failure,
    onDone: () => again(t('chats.unlinked')),
  });
  const reopen = useAction({
    signIn,
    call: (id: string) => unwrap(api.chats[':id'].open.$post({ param: { id } }), connection),
    failure,
    onDone: () => again(t('chats.opened')),
  });
  const notices = useAction({
    signIn,
    call: ({ id, on }: { id: string; on: boolean }) =>
      unwrap(api.chats[':id'].$put({ param: { id }, json: { on } }), connection),
    failure,
    onDone: ({ on }) => again(t(on ? 'chats.noticesOn' : 'chats.noticesOff')),
  });
  const ask = useAction({
    signIn,
    call: () => unwrap(api.chats.code.$post(), connection),
    failure,
    onDone: setCode,
  });
  const busy = !ready || unlink.isPending || reopen.isPending || notices.isPending;
  return (
    <div className="stack">
      <p className="soft">{t('chats.text')}</p>
      <ul className="own__rows" hidden={chats.length === 0}>
        {chats.map(({ id, transport, linkedAt, notices: told, blocked, closed }) => (
          <li key={id} className="row row--apart">
            <div>
              <strong>{t(`chats.transports.${transport}`)}</strong>
              {linkedAt && (
                <p className="soft small">
                  {t('chats.linked', { date: dateTime(linkedAt, language) })}
                </p>
              )}
              {closed && <Closed screen={screen} closed={closed} />}
              {blocked && <p className="soft small">{t('chats.blocked')}</p>}
            </div>
            <div className="row">
              {closed ? (
                <Button
                  compact
                  busy={reopen.isPending && reopen.variables === id}
                  disabled={busy}
                  onClick={() => reopen.mutate(id)}
                >
                  {t('chats.reopen')}
                </Button>
              ) : (
                <Button
                  compact
                  busy={notices.isPending && notices.variables.id === id}
                  disabled={busy}
                  onClick={() => notices.mutate({ id, on: !told })}
                >
                  {t(told ? 'chats.mute' : 'chats.unmute')}
                </Button>
              )}
              <Button
                compact
                busy={unlink.isPending && unlink.variables === id}
                disabled={busy}
                onClick={() => unlink.mutate(id)}
              >
                {t('chats.unlink')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {code && (
        <Note tone="good" title={t('chats.code', { code: code.code })}>
          <p>{t('chats.codeText', { code: code.code })}</p>
          <p className="row">
            {Object.entries(code.links).map(([network, href]) => (
              <ButtonLink key={network} compact href={href}>
                {t(`chats.linkIn.${network as keyof typeof code.links}`)}
              </ButtonLink>
            ))}
          </p>
        </Note>
      )}
      <div className="row">
        <Button busy={ask.isPending} disabled={!ready} onClick={() => ask.mutate()}>
          {t('chats.ask')}
        </Button>
        {ways.map(({ network, href }) => (
          <ButtonLink key={href} href={href}>
            {t(`chats.open.${network}`)}
          </ButtonLink>
        ))}
      </div>
    </div>
  );
}

/** The reason why a chat is closed, and a request in it to open it again. */
function Closed({
  screen: { t, language },
  closed: { why, since, backAskedAt },
}: {
  screen: ChatScreen;
  closed: NonNullable<Chat['closed']>;
}) {
  return (
    <>
      <p className="small">{t(`chats.closed.${why}`, { date: dateTime(since, language) })}</p>
      {backAskedAt && (
        <p className="small">
          <strong>{t('chats.closed.asked', { date: dateTime(backAskedAt, language) })}</strong>
        </p>
      )}
    </>
  );
}
