import { type RefObject, useLayoutEffect } from 'react';

/** Selects a choice that is filled in while the box has the focus, so that typing replaces it. */
export function useFilled(input: RefObject<HTMLInputElement | null>, label: string | undefined) {
  useLayoutEffect(() => {
    if (label && input.current?.value === label && input.current === document.activeElement) input.current.select();
  }, [input, label]);
}
