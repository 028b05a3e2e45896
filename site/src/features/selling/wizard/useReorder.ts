import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';

/**
 * Reorders tiles by pointer. The list changes only on release: moving the tile in the page would
 * lose the pointer.
 */
export function useReorder(
  list: RefObject<HTMLElement | null>,
  onMove: (key: string, to: number) => void,
) {
  const [over, setOver] = useState<{ dragged: string; target: string | undefined }>();
  const drag = useRef<AbortController>(undefined);
  useEffect(() => () => drag.current?.abort(), []);

  const start = (key: string) => (event: PointerEvent<HTMLElement>) => {
    const tile = event.currentTarget.closest<HTMLElement>('[data-photo]');
    if (event.button !== 0 || !tile || !list.current || drag.current) return;
    const { clientX, clientY, pointerId } = event;
    const tiles = [...list.current.querySelectorAll<HTMLElement>('[data-photo]')];
    const holds = (
      other: HTMLElement,
      { clientX: x, clientY: y }: { clientX: number; clientY: number },
    ) => {
      const box = other.getBoundingClientRect();
      return other !== tile && x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    };
    const controller = new AbortController();
    drag.current = controller;
    const { signal } = controller;
    signal.addEventListener('abort', () => {
      drag.current = undefined;
      tile.style.transform = '';
      setOver(undefined);
    });
    const follow = (move: globalThis.PointerEvent) => {
      if (move.pointerId !== pointerId) return;
      tile.style.transform = `translate(${move.clientX - clientX}px, ${move.clientY - clientY}px)`;
      setOver({ dragged: key, target: tiles.find((other) => holds(other, move))?.dataset.photo });
    };
    const release = (up: globalThis.PointerEvent) => {
      if (up.pointerId !== pointerId) return;
      const to = tiles.findIndex((other) => holds(other, up));
      controller.abort();
      if (up.type === 'pointerup' && to >= 0) onMove(key, to);
    };
    window.addEventListener('pointermove', follow, { signal });
    window.addEventListener('pointerup', release, { signal });
    window.addEventListener('pointercancel', release, { signal });
  };
  return { start, over };
}
