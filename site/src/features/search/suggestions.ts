/** Milliseconds without a key before suggestions are asked for. */
const pauseMs = 250;
const fewest = 2;

/** The list of suggestions and its spoken count, put below the field. */
function partsBelow(field: HTMLInputElement) {
  const list = document.createElement('ul');
  list.id = 'suggestions';
  list.className = 'finder__suggestions';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', field.dataset.suggest ?? '');
  list.hidden = true;
  const said = document.createElement('span');
  said.className = 'unseen';
  said.setAttribute('role', 'status');
  field.after(list, said);
  field.setAttribute('role', 'combobox');
  field.setAttribute('aria-autocomplete', 'list');
  field.setAttribute('aria-controls', list.id);
  field.setAttribute('aria-expanded', 'false');
  return { list, said };
}

/**
 * Makes a search field a combobox: suggestions below it, chosen by arrow keys, Enter or a tap.
 * Without an answer the field stays a plain one.
 */
export function startSuggestions(field: HTMLInputElement): void {
  const { list, said } = partsBelow(field);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  let at = -1;
  const options = () => [...list.children] as HTMLElement[];

  function mark(next: number): void {
    const all = options();
    at = all.length === 0 ? -1 : (next + all.length + 1) % (all.length + 1);
    if (at === all.length) at = -1;
    for (const [n, option] of all.entries()) option.setAttribute('aria-selected', String(n === at));
    const chosen = all[at];
    if (chosen) field.setAttribute('aria-activedescendant', chosen.id);
    else field.removeAttribute('aria-activedescendant');
  }

  function close(): void {
    clearTimeout(timer);
    asked++;
    list.hidden = true;
    list.replaceChildren();
    said.textContent = '';
    field.setAttribute('aria-expanded', 'false');
    mark(-1);
  }

  function show(names: readonly string[]): void {
    list.replaceChildren(
      ...names.map((name, n) => {
        const option = document.createElement('li');
        option.id = `suggestion-${n}`;
        option.setAttribute('role', 'option');
        option.dir = 'auto';
        option.textContent = name;
        return option;
      }),
    );
    list.hidden = names.length === 0;
    field.setAttribute('aria-expanded', String(names.length > 0));
    const sentence = names.length === 1 ? field.dataset.one : field.dataset.many;
    said.textContent = names.length > 0 ? (sentence ?? '').replace('7', String(names.length)) : '';
    mark(-1);
  }

  async function ask(): Promise<void> {
    const typed = field.value.trim();
    if (typed.length < fewest) return close();
    const mine = ++asked;
    try {
      const response = await fetch(
        `/api/market/suggestions?${new URLSearchParams({ q: typed.slice(0, 200) })}`,
        {
          headers: { 'x-language': document.documentElement.lang },
        },
      );
      const { suggestions = [] } = response.ok
        ? ((await response.json()) as { suggestions?: string[] })
        : {};
      if (mine === asked) show(suggestions);
    } catch {
      if (mine === asked) close();
    }
  }

  function choose(option: Element | null | undefined): void {
    if (!option) return;
    field.value = option.textContent ?? '';
    close();
    field.form?.submit();
  }

  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(ask, pauseMs);
  });
  field.addEventListener('keydown', (event) => {
    if (list.hidden) return;
    if (event.key === 'ArrowDown') mark(at + 1);
    else if (event.key === 'ArrowUp') mark(at - 1);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && at >= 0) choose(options()[at]);
    else return;
    event.preventDefault();
  });
  field.addEventListener('blur', close);
  // Before the field loses focus.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => choose((event.target as Element).closest('li')));
}
