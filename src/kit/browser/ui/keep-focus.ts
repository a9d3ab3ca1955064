/** Milliseconds between looks, and how many: what an act changed is read and drawn first. */
const pause = 250;
const looks = 8;

/** Behind an open dialog nothing takes the focus. */
const place = () =>
  [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1) ?? document.querySelector<HTMLElement>('h1');

/** Gives the open dialog, or else the title, the focus once the button that had it, or its dialog, is gone after an act. */
export function keepFocus(focused: Element | null) {
  let last = focused;
  let left = looks;
  const look = () => {
    // A test may have taken the page away.
    if (typeof document === 'undefined') return;
    const now = document.activeElement;
    if (now !== null && now !== document.body) last = now;
    else if (last !== null && !last.isConnected) return place()?.focus({ preventScroll: true });
    left--;
    if (left > 0) setTimeout(look, pause);
  };
  setTimeout(look, pause);
}
