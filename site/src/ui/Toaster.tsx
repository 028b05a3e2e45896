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

const list = '[data-sonner-toaster]';

/** Pauses the timers while the focus is in the list, as a pointer does: sonner 2 listens to the mouse alone. */
function holdFocused(): () => void {
  const tell = (element: Element, type: 'mousemove' | 'mouseout') =>
    element.dispatchEvent(new MouseEvent(type, { bubbles: true, relatedTarget: document.body }));
  const hold = () =>
    document.activeElement?.closest(list) && tell(document.activeElement, 'mousemove');
  const release = ({ target, relatedTarget }: FocusEvent) => {
    const within = target instanceof Element && target.closest(list);
    if (within && !within.matches(':hover') && !within.contains(relatedTarget as Node | null))
      tell(target, 'mouseout');
  };
  const events = { focusin: hold, mouseout: hold, focusout: release };
  for (const [type, listener] of Object.entries(events))
    document.addEventListener(type, listener as EventListener);
  return () => {
    for (const [type, listener] of Object.entries(events))
      document.removeEventListener(type, listener as EventListener);
  };
}

/**
 * Where the messages of `toast.success(…)`, `toast.error(…)` appear: several at once, each for 4.5 seconds. One to a page. At the top, in the row
 * of the page's heading, where nothing stands that is clicked next: rows and dialogs have their buttons below, and a pointer over a message
 * holds it, as the focus in it does.
 * On a phone that row is below the header, so the button of the menu stays free.
 */
export function Toaster({ theme = 'system', label, closeLabel }: ToasterProps) {
  useEffect(holdFocused, []);
  return (
    <Sonner
      theme={theme}
      expand
      visibleToasts={4}
      duration={4500}
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
        classNames: {
          toast: 'toast',
          success: 'toast--good',
          warning: 'toast--wait',
          error: 'toast--bad',
        },
      }}
    />
  );
}
