/**
 * After a step with Tab, brings the whole box or row that has the focus into sight: by themselves browsers show the line
 * one types in, or the small circle, and leave the rest below the bar. A press of a finger moves nothing.
 */
export function keepFocusInSight() {
  document.addEventListener('keyup', ({ key }) => {
    if (key === 'Tab') document.activeElement?.closest('.box, .row')?.scrollIntoView({ block: 'nearest' });
  });
}

/** Moves the focus to the first field of a form; false where there is none. */
export function focusFirstField(within: Element | null): boolean {
  const fields = 'form :is(input, select, textarea):not(:disabled, [type="hidden"], [type="file"])';
  const field = within?.querySelector<HTMLElement>(fields);
  field?.focus();
  return field != null;
}

/** What tells a reader who has come back stays in sight, wherever the browser scrolled to, until something has the focus. */
export function showReturn() {
  const { dataset } = document.documentElement;
  dataset.hasReturned = '';
  const end = () => {
    delete dataset.hasReturned;
  };
  document.addEventListener('focusin', end, { once: true });
}
