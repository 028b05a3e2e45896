import type { AnchorHTMLAttributes, ButtonHTMLAttributes, MouseEvent, ReactNode } from 'react';
import { Spinner } from './Spinner.tsx';
import './button.css';
import '../styles/status.css';
import './button-more.css';

type Look = {
  /** At most one `primary` per screen; `contact` is for WhatsApp only. */
  variant?: 'primary' | 'quiet' | 'danger' | 'contact' | 'bare';
  compact?: boolean;
  wide?: boolean;
  /** Icon only; needs an `aria-label`. */
  square?: boolean;
  children: ReactNode;
};

export type ButtonProps = Look &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> & { busy?: boolean };

function buttonClass(
  { variant = 'quiet', compact, wide, square }: Omit<Look, 'children'>,
  more?: string,
): string {
  return [
    'button',
    variant !== 'quiet' && `button--${variant}`,
    compact && 'button--compact',
    wide && 'button--wide',
    square && 'button--square',
    more,
  ]
    .filter(Boolean)
    .join(' ');
}

/** A button that, while `busy`, keeps its width and focus and ignores presses. */
export function Button({
  variant,
  compact,
  wide,
  square,
  busy = false,
  type = 'button',
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...rest}
      type={type}
      aria-busy={busy || undefined}
      className={buttonClass({ variant, compact, wide, square }, className)}
      onClick={press}
    >
      <span className="button__face">{children}</span>
      {busy && <Spinner />}
    </button>
  );
}

export type ButtonLinkProps = Look &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'children'> & { href: string };

export function ButtonLink({
  variant,
  compact,
  wide,
  square,
  className,
  children,
  ...rest
}: ButtonLinkProps) {
  return (
    <a {...rest} className={buttonClass({ variant, compact, wide, square }, className)}>
      <span className="button__face">{children}</span>
    </a>
  );
}
