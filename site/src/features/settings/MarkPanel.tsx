import { useRef } from 'react';
import { markBytes } from '../../../../api/shared/brand/mark.ts';
import { ApiError } from '../../lib/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Note } from '../../ui/Note.tsx';
import { useAction } from '../actions/useAction.ts';
import { messageOf } from '../admin/screen.ts';
import type { SettingsScreen } from './values.ts';

/** The market's mark: shows it, takes another picture, or removes it. */
export function MarkPanel({ screen, mark }: { screen: SettingsScreen; mark: string | null }) {
  const { t, api, send, invalidate, signIn } = screen;
  const chooser = useRef<HTMLInputElement>(null);
  const save = useAction({
    signIn,
    call: async (picture: File | null) => {
      if (picture && picture.size > markBytes)
        throw new ApiError(400, 'settings.markTooBig', t('tooBig', { max: markBytes / 1024 }));
      const own = api.admin.settings.mark;
      await (picture
        ? send<object>(own.$put({ json: { file: await base64Of(picture) } }))
        : send<object>(own.$delete()));
      await invalidate('settings');
      return picture;
    },
    success: (picture) => ({
      title: t(picture ? 'mark.saved' : 'mark.removed'),
      id: 'settings',
      description: t('mark.title'),
    }),
    failure: (error) => ({
      title: t('mark.failed'),
      id: 'settings',
      description: messageOf(error),
    }),
  });
  return (
    <section className="panel stack" aria-labelledby="mark-title">
      <h2 id="mark-title">{t('mark.title')}</h2>
      <p className="soft">{t('mark.text')}</p>
      {mark ? (
        <img className="settings__mark" src={mark} alt={t('mark.present')} width="96" height="96" />
      ) : (
        <p>{t('mark.none')}</p>
      )}
      <input
        ref={chooser}
        type="file"
        hidden
        accept="image/png,image/jpeg,image/webp"
        aria-label={t('mark.choose')}
        onChange={(event) => {
          const [picture] = event.target.files ?? [];
          event.target.value = '';
          if (picture) save.mutate(picture);
        }}
      />
      <div role="alert">
        {save.error && (
          <Note tone="bad" title={t('mark.failed')}>
            {messageOf(save.error)}
          </Note>
        )}
      </div>
      <div className="row">
        <Button busy={save.isPending} onClick={() => chooser.current?.click()}>
          {t('mark.choose')}
        </Button>
        {mark && (
          <Button disabled={save.isPending} onClick={() => save.mutate(null)}>
            {t('mark.remove')}
          </Button>
        )}
      </div>
    </section>
  );
}

/** A file in base64, in steps, since an argument list has a limit. */
async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
