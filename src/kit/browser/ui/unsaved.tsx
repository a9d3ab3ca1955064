import { createContext, type RefObject, use, useId, useLayoutEffect } from 'react';

/** The parts of a dialog, or of a record's page, that hold what closing it or an act would lose. */
export const UnsavedContext = createContext<RefObject<Set<string>> | undefined>(undefined);

/** Tells the dialog or record around a part, if any, whether the part holds what closing it or an act would lose. */
export function useUnsaved(isUnsaved: boolean) {
  const parts = use(UnsavedContext);
  const id = useId();
  // With the commit that shows what is saved, so that an act right after it is not asked about.
  useLayoutEffect(() => {
    if (isUnsaved) parts?.current.add(id);
    return () => void parts?.current.delete(id);
  }, [parts, id, isUnsaved]);
}

/** While it is there, the dialog around it asks before it closes. */
export function Unsaved() {
  useUnsaved(true);
  return null;
}
