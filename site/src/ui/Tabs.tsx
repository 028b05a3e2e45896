import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import './tabs.css';

export type Tab = { id: string; label: ReactNode; panel: ReactNode };

/**
 * Tabs with one keyboard stop: arrows, Home and End move and select. Controlled when `selected` is
 * given.
 */
export function Tabs({
  label,
  tabs,
  selected,
  onSelect,
}: {
  label: string;
  tabs: readonly Tab[];
  selected?: string;
  onSelect?: (id: string) => void;
}) {
  const base = useId();
  const [own, setOwn] = useState(tabs[0]?.id);
  const current = selected ?? own;

  // On phones the row scrolls: the selected tab is in its middle.
  useEffect(() => {
    const tab = document.getElementById(`${base}-${current}`);
    const row = tab?.parentElement;
    if (!row) return;
    const [inner, outer] = [tab.getBoundingClientRect(), row.getBoundingClientRect()];
    row.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
  }, [base, current]);

  const choose = (index: number) => {
    const tab = tabs[(index + tabs.length) % tabs.length];
    if (!tab) return;
    setOwn(tab.id);
    onSelect?.(tab.id);
    document.getElementById(`${base}-${tab.id}`)?.focus();
  };
  const move = (event: KeyboardEvent, index: number) => {
    const target = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[
      event.key
    ];
    if (target === undefined) return;
    event.preventDefault();
    choose(target);
  };

  return (
    <div className="tabs">
      <div className="tabs__list" role="tablist" aria-label={label}>
        {tabs.map((tab, index) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${base}-${tab.id}`}
            className="tabs__tab"
            aria-selected={tab.id === current}
            aria-controls={`${base}-${tab.id}-panel`}
            tabIndex={tab.id === current ? 0 : -1}
            onClick={() => choose(index)}
            onKeyDown={(event) => move(event, index)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.id}
          role="tabpanel"
          id={`${base}-${tab.id}-panel`}
          className="tabs__panel"
          aria-labelledby={`${base}-${tab.id}`}
          hidden={tab.id !== current}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel may hold nothing that takes the focus
          tabIndex={0}
        >
          {tab.id === current && tab.panel}
        </div>
      ))}
    </div>
  );
}
