import { Drawing } from '../live/Drawing.tsx';

type Props = { opening: boolean; early?: boolean; children: string };

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
