import { type RefObject, useEffect, useRef, useState } from 'react';

/** True while an element that is rendered `when` set has more content than room. */
export function useScrolls<Box extends HTMLElement>(
  when: boolean,
): [ref: RefObject<Box | null>, scrolls: boolean] {
  const ref = useRef<Box>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const box = ref.current;
    if (!when || !box) return;
    // The two heights are rounded apart: a difference of one pixel is no overflow.
    const sizes = new ResizeObserver(() => setScrolls(box.scrollHeight > box.clientHeight + 1));
    const watch = () => {
      sizes.disconnect();
      for (const part of [box, ...box.children]) sizes.observe(part);
    };
    const parts = new MutationObserver(watch);
    parts.observe(box, { childList: true });
    watch();
    return () => {
      sizes.disconnect();
      parts.disconnect();
    };
  }, [when]);
  return [ref, scrolls];
}
