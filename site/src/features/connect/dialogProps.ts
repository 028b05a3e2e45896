import type { Language } from '../../../../locales/languages.ts';
import type { Asked } from './address.ts';

/** Props of all dialogs, set by the page. */
export type DialogProps = {
  language: Language;
  /** Owner of the draft on this device: the credits' number, never a name or an address. */
  owner: number | undefined;
  links: { signIn: string; connect: string };
};
/** Props of an opened dialog. */
export type OpenedProps = DialogProps & {
  asked: Asked | undefined;
  open: boolean;
  onClose: () => void;
};
