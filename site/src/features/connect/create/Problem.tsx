import type { Refused } from '../../forms/useForm.ts';
import type { OpenedProps } from '../dialogProps.ts';
import { SignInAgain } from '../SignInAgain.tsx';
import type { Translate } from './fields.tsx';

type Props = Pick<OpenedProps, 'language' | 'links'> & {
  t: Translate;
  /** What the form itself found: something is missing, or is not as it should be. */
  wrong: 'missing' | 'check' | false;
  refused: Refused | undefined;
  onAnew: () => void;
};

/** Why a post is not published, what was kept, and what to do. */
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
    // No answer, or one that nobody foresaw: whether credits were spent is not known here.
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
