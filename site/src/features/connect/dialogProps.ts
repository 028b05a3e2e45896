import type { Language } from '../../../../locales/languages.ts';
import type { Asked } from './address.ts';

/** What all dialogs of Connect are told by the page. */
export type DialogProps = {
  language: Language;
  /** Whose draft is kept on this device: the number of the member's credits, never a name or an address. */
  owner: number | undefined;
  links: { signIn: string; connect: string };
};
/** What each dialog gets. */
export type OpenedProps = DialogProps & {
  asked: Asked | undefined;
  open: boolean;
  onClose: () => void;
};
