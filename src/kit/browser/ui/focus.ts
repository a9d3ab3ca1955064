/**
 * After a Tab key, scrolls the whole box or row of the focused element into view: browsers alone show only the text
 * line or the small circle, and leave the rest below the bar. A tap scrolls nothing.
 */
export function keepFocusInSight() {
  document.addEventListener('keyup', ({ key }) => {
    if (key === 'Tab') document.activeElement?.closest('.box, label')?.scrollIntoView({ block: 'nearest' });
  });
}

const fields = 'form :is(input, select, textarea):not(:disabled, [type="hidden"], [type="file"])';
const firstField = (within: Element | null) => within?.querySelector<HTMLElement>(fields);

/** Moves the focus to the first field of a form. */
export const focusFirstField = (within: Element | null) => firstField(within)?.focus();

/**
 * Focuses the first field of a dialog, else the dialog. A field that is loaded later, or replaced as its choices arrive,
 * gets the focus then, unless the user has moved on. Returns the end of this.
 */
export function holdFirstField(dialog: HTMLElement): () => void {
  let field = firstField(dialog);
  (field ?? dialog).focus();
  const changes = new MutationObserver(() => {
    const at = document.activeElement;
    if (at !== document.body && at !== dialog && at !== field) return changes.disconnect();
    if (at === field || field?.isConnected) return;
    field = firstField(dialog);
    field?.focus();
  });
  changes.observe(dialog, { childList: true, subtree: true });
  return () => changes.disconnect();
}

/** Gives a step that has just appeared the focus, if what had it is gone. */
export function takeLostFocus(step: HTMLElement | null) {
  const at = document.activeElement;
  if (at === document.body || at?.matches('dialog')) step?.focus();
}
