/** Safari 14.0 has no `gap` between flex items, and `@supports` says that it has. */
function isMissing(): boolean {
  const box = document.createElement('div');
  box.style.cssText = 'position:absolute;display:flex;flex-direction:column;row-gap:1px';
  box.append(document.createElement('i'), document.createElement('i'));
  document.body.append(box);
  const missing = box.scrollHeight !== 1;
  box.remove();
  return missing;
}

/**
 * Gives the items of each flex box margins in place of its gap. They weigh more than the reset, and
 * less than any margin of an item's own.
 */
function spaceOut(sheet: CSSStyleSheet | CSSMediaRule): void {
  for (let at = sheet.cssRules.length - 1; at >= 0; at--) {
    const rule = sheet.cssRules[at];
    if (rule instanceof CSSMediaRule) spaceOut(rule);
    if (!(rule instanceof CSSStyleRule)) continue;
    const { display, flexDirection, flexWrap, rowGap, columnGap } = rule.style;
    if (!display.includes('flex') || !columnGap) continue;
    const [items, margin] = flexWrap.startsWith('wrap')
      ? ['*', `margin:0 ${columnGap} ${rowGap} 0`]
      : flexDirection.startsWith('column')
        ? ['* + *', `margin-top:${rowGap}`]
        : ['* + *', `margin-left:${columnGap}`];
    sheet.insertRule(`:where(${rule.selectorText}) > ${items}:not(x){${margin}}`, at + 1);
  }
}

if (isMissing()) for (const sheet of document.styleSheets) spaceOut(sheet);

export {};
