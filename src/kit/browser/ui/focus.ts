/**
 * After a Tab key, scrolls the whole box or row of the focused element into view: browsers alone show only the text
 * line or the small circle, and leave the rest below the bar. A tap scrolls nothing.
 */
export function keepFocusInSight() {
  document.addEventListener('keyup', ({ key }) => {
    if (key === 'Tab') document.activeElement?.closest('.box, label')?.scrollIntoView({ block: 'nearest' });
  });
}

/** Moves the focus to the first field of a form; false where there is none. */
export function focusFirstField(within: Element | null): boolean {
  const fields = 'form :is(input, select, textarea):not(:disabled, [type="hidden"], [type="file"])';
  const field = within?.querySelector<HTMLElement>(fields);
  field?.focus();
  return field != null;
}
