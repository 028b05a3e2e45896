import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Drawing } from '../live/Drawing.tsx';

type Props = {
  children?: ReactNode;
  thumbnails?: ReactNode;
  total: number;
  words: {
    label: string;
    dots: string;
    previous: string;
    next: string;
    position: string;
    show: string;
    thumbnails: string;
  };
};

const say = (sentence: string, order: number) => sentence.replace('{{number}}', String(order + 1));
const orderOf = (link: Element) =>
  Number((link as HTMLAnchorElement).hash.slice('#picture-'.length)) - 1;

/**
 * Arrows, dots and thumbnails that scroll the row. Dots and thumbnails are links, so they work
 * without a script.
 */
export default function Gallery({ children, thumbnails, total, words }: Props) {
  const track = useRef<HTMLDivElement>(null);
  const thumbs = useRef<HTMLElement>(null);
  const [live, setLive] = useState(false);
  const [current, setCurrent] = useState(0);
  const moved = useRef(false);
  const place = useRef(0);
  place.current = current;

  useEffect(() => {
    setLive(true);
    const settle = () =>
      track.current?.scrollTo({
        left: place.current * track.current.clientWidth,
        behavior: 'instant',
      });
    addEventListener('resize', settle);
    return () => removeEventListener('resize', settle);
  }, []);

  // Thumbnails are server HTML, outside React's control.
  useEffect(() => {
    for (const link of thumbs.current?.querySelectorAll('a') ?? [])
      if (orderOf(link) === current) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
  }, [current]);

  const go = (order: number) => {
    const row = track.current;
    row?.scrollTo({
      left: order * row.clientWidth,
      behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
    });
  };
  const stand = () => {
    const row = track.current;
    if (!row) return;
    moved.current = true;
    setCurrent(Math.round(row.scrollLeft / row.clientWidth));
  };
  const choose = (event: MouseEvent) => {
    const link = (event.target as Element).closest('a');
    if (!link) return;
    event.preventDefault();
    go(orderOf(link));
  };
  const arrow = (step: -1 | 1) => (
    <button
      className={step === 1 ? 'gallery__step gallery__step--next' : 'gallery__step'}
      type="button"
      hidden={!live}
      // Not `disabled`: the focus would be lost at either end.
      aria-disabled={current + step < 0 || current + step >= total || undefined}
      aria-label={step === 1 ? words.next : words.previous}
      onClick={() => go(Math.min(Math.max(current + step, 0), total - 1))}
    >
      <Drawing name={step === 1 ? 'right' : 'left'} />
    </button>
  );

  return (
    <section className="gallery" aria-label={words.label}>
      <div className="gallery__stage">
        {/* A row that scrolls must be reachable by keyboard */}
        <div
          ref={track}
          className="gallery__track"
          tabIndex={total > 1 ? 0 : undefined}
          onScroll={stand}
        >
          {children}
        </div>
        {total > 1 && (
          <>
            {arrow(-1)}
            {arrow(1)}
          </>
        )}
      </div>
      {total > 1 && (
        <>
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the clicks are its links' */}
          <nav className="gallery__dots" aria-label={words.dots} onClick={choose}>
            {Array.from({ length: total }, (_, order) => (
              <a
                // biome-ignore lint/suspicious/noArrayIndexKey: a picture is its number
                key={order}
                href={`#picture-${order + 1}`}
                aria-current={order === current ? 'true' : undefined}
              >
                <span className="unseen">{say(words.show, order)}</span>
              </a>
            ))}
          </nav>
          <p className="unseen" role="status">
            {moved.current && say(words.position, current)}
          </p>
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the clicks are its links' */}
          <nav
            ref={thumbs}
            className="gallery__thumbs"
            aria-label={words.thumbnails}
            onClick={choose}
          >
            {thumbnails}
          </nav>
        </>
      )}
    </section>
  );
}
