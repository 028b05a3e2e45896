import { Drawing } from '../live/Drawing.tsx';

type Props = { opening: boolean; early?: boolean; children: string };

/** Sends the consent, or the answer to a question once its time has come. */
export function SendButton({ opening, early, children }: Props) {
  return (
    <button
      className="button button--contact"
      type="submit"
      data-open
      aria-busy={opening || undefined}
      aria-disabled={early || undefined}
    >
      <Drawing name="contact" />
      <span>{children}</span>
    </button>
  );
}
