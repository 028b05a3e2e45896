import { useEffect } from 'react';
import { Toaster as Sonner } from 'sonner';
import { Icon } from './Icon.tsx';
import { Spinner } from './Spinner.tsx';
import '../styles/status.css';
import './toaster.css';

export { toast } from 'sonner';

export type ToasterProps = {
  theme?: 'system' | 'light' | 'dark';
  /** How the list of messages is called, for those who listen. */
  label: string;
  closeLabel: string;
};

const duration = 4500;

/** A pointer that moves over the messages holds them. One that rests there, perhaps since before they came, lets go of them after as long as one stands. */
function letGoOfRest(): () => void {
  let rest: ReturnType<typeof setTimeout> | undefined;
  const follow = ({ target }: Event) => {
    clearTimeout(rest);
    const list = (target as Element).closest?.('[data-sonner-toaster]');
    if (list) rest = setTimeout(() => list.dispatchEvent(new MouseEvent('mouseout', { bubbles: true, relatedTarget: document.body })), duration);
  };
  const moves = ['mouseover', 'mousemove'];
  for (const move of moves) document.addEventListener(move, follow, { passive: true });
  return () => {
    clearTimeout(rest);
    for (const move of moves) document.removeEventListener(move, follow);
  };
}

/**
 * Where the messages of `toast.success(…)`, `toast.error(…)` appear: several at once, each for 4.5 seconds. One to a page. At the top, in the row
 * of the page's heading, where nothing stands that is clicked next: rows and dialogs have their buttons below.
 */
export function Toaster({ theme = 'system', label, closeLabel }: ToasterProps) {
  useEffect(letGoOfRest, []);
  return (
    <Sonner
      theme={theme}
      expand
      visibleToasts={4}
      duration={duration}
      gap={8}
      position="top-center"
      swipeDirections={['top', 'left', 'right']}
      offset={12}
      mobileOffset={12}
      closeButton
      containerAriaLabel={label}
      icons={{
        success: <Icon name="check" />,
        info: <Icon name="info" />,
        warning: <Icon name="warning" />,
        error: <Icon name="warning" />,
        loading: <Spinner />,
        close: <Icon name="close" />,
      }}
      toastOptions={{
        unstyled: true,
        closeButtonAriaLabel: closeLabel,
        classNames: { toast: 'toast', success: 'toast--good', warning: 'toast--wait', error: 'toast--bad' },
      }}
    />
  );
}
