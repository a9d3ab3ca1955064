import { type RefObject, useEffect } from 'react';

/** Ctrl-K moves the focus to the search from anywhere, and lists the recent people. */
export function useCtrlK(box: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      box.current?.focus();
      box.current?.select();
      box.current?.click(); // Opens the list of recent people.
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [box]);
}
