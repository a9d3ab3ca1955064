import { type RefObject, useEffect, useRef, useState } from 'react';
import { focusOn } from './ErrorSummary.tsx';

/** An inert form loses the focus while it is sent; afterwards the focus returns, unless it has moved elsewhere. */
export function useKeptFocus(isSending: boolean) {
  const kept = useRef<Element>(null);
  useEffect(() => {
    if (isSending) return;
    if (document.activeElement === document.body && kept.current instanceof HTMLElement)
      kept.current.focus({ preventScroll: true });
    kept.current = null;
  }, [isSending]);
  return () => {
    kept.current = document.activeElement;
  };
}

/** Moves the focus to a field once the form is no longer inert and shows the errors. */
export function useLaterFocus(isSending: boolean, form: RefObject<HTMLElement | null>) {
  const [wanted, setWanted] = useState<{ field: string }>();
  useEffect(() => {
    if (isSending || !wanted) return;
    focusOn(wanted.field, form.current);
    setWanted(undefined);
  }, [isSending, wanted, form]);
  return (field: string | undefined) => setWanted(field === undefined ? undefined : { field });
}
