/** The page of the list to which the open record leads back; '' where none is open. The menu marks it. */
let page = '';
const listeners = new Set<() => void>();

export const listAround = () => page;

export function setListAround(next: string) {
  page = next;
  for (const tell of listeners) tell();
}

export function onListAround(tell: () => void) {
  listeners.add(tell);
  return () => void listeners.delete(tell);
}
