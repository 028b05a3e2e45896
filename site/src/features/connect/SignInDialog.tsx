import { ButtonLink } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { guardDialog } from '../../ui/guardDialog.tsx';
import type { OpenedProps } from './dialogProps.ts';
import { authWords, signInHere } from './SignInAgain.tsx';
import { dialogWords } from './words.ts';

/** 'Authentication Required' for visitors (product §11). */
export default guardDialog(function SignInDialog({
  language,
  links,
  asked,
  open,
  onClose,
}: OpenedProps) {
  const words = authWords(language);
  const common = dialogWords(language);
  return (
    <Dialog
      open={open}
      title={words.title}
      closeLabel={common.close}
      onClose={onClose}
      actions={
        open && (
          <ButtonLink variant="primary" href={signInHere(links)} data-first="">
            {words.signIn}
          </ButtonLink>
        )
      }
    >
      <p>
        {words[asked === 'buy' ? 'buy' : 'respond']} {words.back}
      </p>
    </Dialog>
  );
});
