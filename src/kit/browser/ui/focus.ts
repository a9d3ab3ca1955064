/**
 * After a step with Tab, brings the whole box or row that has the focus into sight: by themselves browsers show the line
 * one types in, or the small circle, and leave the rest below the bar. A press of a finger moves nothing.
 */
export function keepFocusInSight() {
  document.addEventListener('keyup', ({ key }) => {
    if (key === 'Tab') document.activeElement?.closest('.box, .row')?.scrollIntoView({ block: 'nearest' });
  });
}
