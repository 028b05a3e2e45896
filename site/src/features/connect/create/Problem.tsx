import type { Refused } from '../../forms/useForm.ts';
import type { OpenedProps } from '../dialogProps.ts';
import { SignInAgain } from '../SignInAgain.tsx';
import type { Translate } from './fields.tsx';

type Props = Pick<OpenedProps, 'language' | 'links'> & {
  t: Translate;
  /** The form's own finding. */
  wrong: 'missing' | 'check' | false;
  refused: Refused | undefined;
  onAnew: () => void;
};

/** Reason why a post was not published, with the next step. */
export function Problem({ t, language, links, wrong, refused, onAnew }: Props) {
  if (!refused)
    return wrong === 'missing' ? (
      <>
        <strong>{t('missing.title')}</strong>
        <p>{t('missing.text')}</p>
      </>
    ) : (
      t('check')
    );
  const { code, message } = refused;
  switch (code) {
    case 'signInRequired':
      return <SignInAgain language={language} links={links} />;
    case 'credits.neededForPost':
      return (
        <>
          <strong>{t('insufficient.title')}</strong>
          <p>{message}</p>
          <a href="?buy">{t('insufficient.buy')}</a>
        </>
      );
    case 'credits.transactionFailed':
      return (
        <>
          <strong>{t('spendFailed')}</strong>
          <p>{message}</p>
        </>
      );
    case 'idempotencyMismatch':
      return (
        <>
          <strong>{t('already.title')}</strong>
          <p>{t('already.text')}</p>
          <a href={`${links.connect}/mine`}>{t('already.mine')}</a>{' '}
          <button className="create__anew" type="button" onClick={onAnew}>
            {t('already.anew')}
          </button>
        </>
      );
    // Unknown outcome: credits may have been spent.
    case 'network':
    case 'unexpected':
      return (
        <>
          <strong>{t('transactionFailed')}</strong>
          <p>{message}</p>
        </>
      );
    default:
      return message;
  }
}
