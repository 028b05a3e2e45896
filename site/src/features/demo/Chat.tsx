import type { InferResponseType } from 'hono/client';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { DemoRole } from '../../../../api/demo/schema.ts';
import type { Language } from '../../../../locales/languages.ts';
import { type ApiClient, browserApi, unwrap } from '../../lib/api.ts';
import { dateTime } from '../../lib/format.ts';
import { Icon } from '../../ui/Icon.tsx';
import { lighten } from '../selling/wizard/lighten.ts';

type Line = InferResponseType<ApiClient['demo']['chat']['$get'], 200>['lines'][number];
type Words = Record<
  | 'write'
  | 'send'
  | 'photo'
  | 'shared'
  | 'again'
  | 'you'
  | 'log'
  | 'empty'
  | 'hello'
  | 'failed'
  | 'demo'
  | 'typing'
  | 'picture'
  | 'tooBig',
  string
>;
type Props = {
  language: Language;
  as: DemoRole;
  lines: Line[];
  start: string;
  words: Words;
  market: string;
};

const chatPath = '/demo/chat';

/**
 * Demo chat. Every button is a form, so it works before hydration; then messages are sent by fetch
 * and received by long polling.
 */
export default function Chat({ language, as, lines: first, start, words, market }: Props) {
  const [lines, setLines] = useState(first);
  const [text, setText] = useState(start);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string>();
  const phone = useRef<HTMLElement>(null);
  const log = useRef<HTMLDivElement>(null);
  /** Words that were sent while another message was on its way. */
  const next = useRef<FormData>(undefined);
  const last = useRef(first[first.length - 1]?.id ?? 0);
  const api = useRef(browserApi(language));
  // Before hydration no header can carry the page's language.
  const formPath = `${chatPath}?language=${language}`;

  function show(news: Line[]): void {
    const fresh = news.filter(({ id }) => id > last.current);
    if (fresh.length === 0) return;
    last.current = fresh[fresh.length - 1]?.id ?? last.current;
    setLines((shown) => [...shown, ...fresh]);
  }
  async function look(wait: boolean): Promise<boolean> {
    const query = { as, after: String(last.current), ...(wait ? { wait: '1' as const } : {}) };
    show((await unwrap(api.current.demo.chat.$get({ query }), '')).lines);
    return true;
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: one look after the other, from the first; what is told without being asked comes so
  useEffect(() => {
    let over = false;
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    void (async () => {
      while (!over) {
        if (document.hidden) await pause(1000);
        else if (!(await look(true).catch(() => false))) await pause(5000);
      }
    })();
    return () => {
      over = true;
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest line is in view whenever there is one more
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [lines, busy]);

  async function send(form: FormData): Promise<void> {
    setBusy(true);
    setFailed(undefined);
    // The answer appears at the lower end.
    phone.current?.scrollIntoView({ block: 'nearest' });
    try {
      const response = await fetch(chatPath, {
        method: 'POST',
        body: form,
        headers: { accept: 'application/json', 'x-language': language },
      });
      if (!response.ok) throw new Error(response.status === 413 ? words.tooBig : words.failed);
      if (form.has('again')) {
        last.current = 0;
        setLines([]);
      } else if (form.has('typed')) setText((now) => (now === form.get('text') ? '' : now));
      await look(false);
    } catch (error) {
      setFailed(error instanceof TypeError ? words.failed : (error as Error).message);
    }
    const waiting = next.current;
    next.current = undefined;
    // Pressed twice, the same words are one message.
    if (waiting && waiting.get('text') !== form.get('text')) return send(waiting);
    setBusy(false);
  }
  function submitted(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter);
    if (!busy) void send(form);
    else if (form.has('typed')) next.current = form;
  }
  async function photoPicked(input: HTMLInputElement): Promise<void> {
    const [file] = input.files ?? [];
    if (!file) return;
    const light = await lighten(file);
    const form = new FormData();
    form.set('as', as);
    form.set('text', text);
    form.set('typed', '1');
    form.set('photo', light instanceof Blob ? light : file, 'photo');
    input.value = '';
    await send(form);
  }

  return (
    <section className="talk__phone" aria-label={words.log} ref={phone}>
      <header className="talk__bar">
        <span className="woven" aria-hidden="true" />
        <strong>{market}</strong>
        <span className="talk__mark">{words.demo}</span>
        <form method="post" action={formPath} onSubmit={submitted}>
          <input type="hidden" name="as" value={as} />
          <button
            className="button button--compact"
            type="submit"
            name="again"
            value="yes"
            disabled={busy}
          >
            <Icon name="refresh" />
            {words.again}
          </button>
        </form>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <div className="talk__log" role="log" aria-label={words.log} tabIndex={0} ref={log}>
        {lines.length === 0 && (
          <form className="talk__empty" method="post" action={formPath} onSubmit={submitted}>
            <p>{words.empty}</p>
            <input type="hidden" name="as" value={as} />
            <button
              className="button button--primary"
              type="submit"
              name="text"
              value="/start"
              disabled={busy}
            >
              {words.hello}
            </button>
          </form>
        )}
        <ol>
          {lines.map((line) => (
            <li key={line.id} className={line.mine ? 'talk__mine' : 'talk__theirs'}>
              <Bubble line={line} words={words} market={market} language={language} />
              {line.buttons && (
                <form
                  className="talk__buttons"
                  method="post"
                  action={formPath}
                  onSubmit={submitted}
                >
                  <input type="hidden" name="as" value={as} />
                  {line.buttons.map((row) => (
                    <div key={JSON.stringify(row)} className="talk__row">
                      {row.map((one) =>
                        'url' in one ? (
                          <a
                            key={one.label}
                            className="button"
                            href={one.url}
                            target="_blank"
                            rel="noopener"
                          >
                            {one.label}
                          </a>
                        ) : (
                          <button
                            key={one.label}
                            className="button"
                            type="submit"
                            disabled={busy}
                            {...('say' in one
                              ? { name: 'text', value: one.say }
                              : { name: 'share', value: 'number' })}
                          >
                            {one.label}
                          </button>
                        ),
                      )}
                    </div>
                  ))}
                </form>
              )}
            </li>
          ))}
        </ol>
        {busy && <p className="talk__typing">{words.typing}</p>}
      </div>
      <form
        className="talk__write"
        id="write"
        method="post"
        action={formPath}
        encType="multipart/form-data"
        onSubmit={submitted}
      >
        {failed && (
          <p className="talk__failed" role="alert">
            {failed}
          </p>
        )}
        <input type="hidden" name="as" value={as} />
        <input type="hidden" name="typed" value="1" />
        <label className="talk__photo" title={words.photo}>
          <Icon name="camera" />
          <span className="talk__said">{words.photo}</span>
          <input
            type="file"
            name="photo"
            accept="image/*"
            onChange={(event) => void photoPicked(event.currentTarget)}
          />
        </label>
        <input
          className="input"
          name="text"
          value={text}
          onChange={(event) => setText(event.target.value)}
          maxLength={4096}
          autoComplete="off"
          enterKeyHint="send"
          aria-label={words.write}
          placeholder={words.write}
        />
        <button className="button button--primary" type="submit">
          {words.send}
        </button>
      </form>
    </section>
  );
}

function Bubble({
  line,
  words,
  market,
  language,
}: {
  line: Line;
  words: Words;
  market: string;
  language: Language;
}) {
  const picture = line.picture
    ? `/media/${line.picture}`
    : line.photo && `${chatPath}/photo/${line.photo}`;
  return (
    <div className="talk__bubble">
      <span className="talk__said">{line.mine ? words.you : market}: </span>
      {picture && <img src={picture} alt={words.picture} loading="lazy" decoding="async" />}
      {line.shared && <p>{words.shared}</p>}
      {line.text && <p dir="auto">{line.text}</p>}
      <time dateTime={line.at}>{dateTime(line.at, language, 'time')}</time>
    </div>
  );
}
