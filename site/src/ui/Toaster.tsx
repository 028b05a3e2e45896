import { useEffect } from 'react';
import { Toaster as Sonner } from 'sonner';
import { Icon } from './Icon.tsx';
import { Spinner } from './Spinner.tsx';
import '../styles/status.css';
import './toaster.css';

export { toast } from 'sonner';

export type ToasterProps = {
  theme?: 'system' | 'light' | 'dark';
  label: string;
  closeLabel: string;
};

const list = '[data-sonner-toaster]';

/** Pauses the timers while the list has the focus: sonner 2 pauses for the mouse only. */
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
 * Shows toasts for 4.5 seconds each; one per page. At the top in the heading's row they cover no
 * button; on a phone they stay below the header's menu button.
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
