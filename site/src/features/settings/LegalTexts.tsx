import type { InferResponseType } from 'hono/client';
import { useEffect, useRef, useState } from 'react';
import { legalPages, publication } from '../../../../api/legal/schema.ts';
import { type Language, languages } from '../../../../locales/languages.ts';
import { type ApiClient, ApiError } from '../../lib/api.ts';
import { type FieldErrors, focusFirstWrong, judge } from '../../lib/form.ts';
import { dateTime, number } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { TextArea } from '../../ui/Field.tsx';
import { Note } from '../../ui/Note.tsx';
import { useAction } from '../actions/useAction.ts';
import { ReadState } from '../admin/ReadState.tsx';
import { messageOf, useAdminRead } from '../admin/screen.ts';
import type { SettingsScreen } from './values.ts';
import type { SettingWords } from './words.ts';

type Texts = InferResponseType<ApiClient['admin']['legal']['$get'], 200>;
type Props = { screen: SettingsScreen; words: SettingWords };

/** The operator's own terms and text on privacy, in Markdown: a new version asks everybody. */
export function LegalTexts({ screen, words }: Props) {
  const { t, common, api, send } = screen;
  const read = useAdminRead<Texts>(screen, ['legal'], () => send(api.admin.legal.$get()), {
    // A newer version of another admin must not take away what is typed here.
    ...{ staleTime: Number.POSITIVE_INFINITY, refetchOnReconnect: false },
  });
  return (
    <section className="panel stack">
      <h2>{t('legal.title')}</h2>
      <p className="soft">{t('legal.text')}</p>
      <ReadState
        read={read}
        loading={t('legal.loading')}
        failed={t('legal.loadFailed')}
        retry={common('retry')}
        shape="card"
        count={1}
      >
        {(texts) => <TextForm key={texts.number} {...{ screen, words, texts }} />}
      </ReadState>
    </section>
  );
}

function TextForm({ screen, words, texts }: Props & { texts: Texts }) {
  const { t, common, api, send, invalidate, signIn, language } = screen;
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState({ terms: texts.terms, privacy: texts.privacy });
  const [errors, setErrors] = useState<FieldErrors>({});
  const [asks, setAsks] = useState(false);
  const [shown, setShown] = useState<{ of: string; html: string }>();
  const json = { after: texts.number, ...typed };
  const changed = JSON.stringify(typed) !== JSON.stringify(pick(texts));

  useEffect(() => {
    if (Object.keys(errors).length > 0) focusFirstWrong(form.current);
  }, [errors]);

  const publish = useAction({
    signIn,
    call: async () => {
      try {
        return await send<{ number: number }>(api.admin.legal.$post({ json }));
      } catch (error) {
        if (error instanceof ApiError) setErrors(error.fields);
        throw error;
      }
    },
    success: () => t('legal.published'),
    onDone: () => invalidate('legal'),
    failure: (error) => ({ title: t('legal.notPublished'), description: messageOf(error) }),
  });
  const preview = useAction({
    signIn,
    call: async ({ of, text }: { of: string; text: string }) => {
      const { html } = await send<{ html: string }>(
        api.admin.legal.preview.$post({ json: { text } }),
      );
      setShown({ of, html });
    },
    failure: (error) => ({ title: t('legal.notShown'), description: messageOf(error) }),
  });

  const submit = () => {
    const judged = judge(publication, json, language, words.validation);
    setErrors(judged.ok ? {} : judged.errors);
    if (judged.ok) setAsks(true);
  };
  const set = (page: keyof typeof typed, of: Language) => (text: string) =>
    setTyped((now) => ({ ...now, [page]: { ...now[page], [of]: text } }));
  return (
    <>
      <form
        ref={form}
        className="stack"
        noValidate
        aria-label={t('legal.title')}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <p>
          {t('legal.agreed', {
            date: dateTime(texts.since, language, 'date'),
            agreed: number(texts.agreed, language),
            accounts: number(texts.accounts, language),
          })}
        </p>
        {legalPages.map((page) =>
          languages.map((of) => {
            const name = `${page}.${of}`;
            return (
              <div className="stack" key={name}>
                <TextArea
                  name={name}
                  label={t(`legal.${page}`, { language: words.languageNames[of] })}
                  hint={t('legal.hint')}
                  error={errors[name]}
                  lang={of}
                  rows={8}
                  value={typed[page][of]}
                  readOnly={publish.isPending}
                  onChange={(event) => set(page, of)(event.target.value)}
                />
                <div className="row">
                  <Button
                    compact
                    busy={preview.isPending && preview.variables?.of === name}
                    onClick={() => preview.mutate({ of: name, text: typed[page][of] })}
                  >
                    {t('legal.preview')}
                  </Button>
                </div>
                {shown?.of === name && (
                  <div
                    className="settings__preview"
                    lang={of}
                    // biome-ignore lint/security/noDangerouslySetInnerHtml: the API writes it without tags of the text.
                    dangerouslySetInnerHTML={{ __html: shown.html }}
                  />
                )}
              </div>
            );
          }),
        )}
        <Note>{t('legal.links')}</Note>
        <div className="row">
          <Button type="submit" variant="primary" busy={publish.isPending} disabled={!changed}>
            {t('legal.publish')}
          </Button>
        </div>
      </form>
      <ConfirmDialog
        open={asks}
        title={t('legal.sure')}
        consequence={t('legal.consequence')}
        confirmLabel={t('legal.publish')}
        cancelLabel={common('cancel')}
        closeLabel={common('close')}
        tone="primary"
        onClose={() => setAsks(false)}
        onConfirm={() => {
          setAsks(false);
          publish.mutate(undefined);
        }}
      />
    </>
  );
}

const pick = ({ terms, privacy }: Texts) => ({ terms, privacy });
