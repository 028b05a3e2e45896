import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import './tooltip.css';

const delay = 700;
const offset = 4;

/**
 * A tooltip: after 700 ms of hover, at once for the keyboard, closed by Escape. Never the only
 * place for information, since touch cannot hover.
 */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const id = useId();
  const anchor = useRef<HTMLSpanElement>(null);
  const word = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [shown, setShown] = useState(false);

  useEffect(() => () => clearTimeout(timer.current), []);

  useEffect(() => {
    if (!shown || !anchor.current || !word.current) return;
    const [around, tip] = [anchor.current, word.current];
    tip.showPopover?.();
    const target = around.getBoundingClientRect();
    const size = tip.getBoundingClientRect();
    const above = target.top - size.height - offset;
    tip.style.top = `${above >= offset ? above : target.bottom + offset}px`;
    const middle = target.left + target.width / 2 - size.width / 2;
    tip.style.left = `${Math.max(offset, Math.min(middle, document.documentElement.clientWidth - size.width - offset))}px`;
    const leave = (event: KeyboardEvent) => event.key === 'Escape' && setShown(false);
    const scrolled = () => setShown(false);
    document.addEventListener('keydown', leave);
    document.addEventListener('scroll', scrolled, { capture: true, passive: true });
    return () => {
      document.removeEventListener('keydown', leave);
      document.removeEventListener('scroll', scrolled, { capture: true });
    };
  }, [shown]);

  // The description belongs to the control inside, not to the span.
  useEffect(() => {
    const control = anchor.current?.querySelector('button, a, input, [tabindex]');
    control?.setAttribute('aria-describedby', id);
    return () => control?.removeAttribute('aria-describedby');
  }, [id]);

  const show = (wait: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setShown(true), wait);
  };
  const hide = () => {
    clearTimeout(timer.current);
    setShown(false);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens; the control inside is what people use
    <span
      className="tooltip"
      ref={anchor}
      onPointerEnter={(event) => event.pointerType === 'mouse' && show(delay)}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={(event) => event.target.matches(':focus-visible') && show(0)}
      onBlur={hide}
    >
      {children}
      {shown ? (
        <span ref={word} id={id} role="tooltip" popover="manual" className="tooltip__word">
          {text}
        </span>
      ) : (
        <span id={id} hidden>
          {text}
        </span>
      )}
    </span>
  );
}
