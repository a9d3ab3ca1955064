import { useSearch } from '@tanstack/react-router';
import { backToTitle } from '#kit/browser/ui/PageHead.tsx';
import { useSearchNavigate } from '#kit/browser/ui/PageLink.tsx';

export type Address = Partial<Record<string, string>>;

interface PageOfList {
  after?: string;
  before?: string;
  countsAll?: string;
}

/** The state of a list in its address: `tab`, search, filters, order and page. */
export function useListAddress<Shown extends Address = Address>() {
  const address: Shown = useSearch({ strict: false });
  const navigate = useSearchNavigate();
  /** Sets the state to this; empty values stay out of the address. */
  const go = (wanted: Shown) => void navigate((latest) => withChanges(latest, address, wanted));
  /** Changes the rows, starting at the first page. */
  const narrow = (options: Shown) => go({ ...address, after: '', before: '', countsAll: '', ...options });
  /** Shows another page of the same rows. */
  const turn = (place: PageOfList) => {
    go({ ...address, after: '', before: '', ...place });
    backToTitle();
  };
  return { address, go, narrow, turn };
}

/** A second change may come before the page is drawn with the first: what it does not change stays as it is by then. */
function withChanges(latest: Address, drawn: Address, wanted: Address): Address {
  const names = new Set([...Object.keys(drawn), ...Object.keys(wanted)]);
  const changed = [...names].filter((name) => wanted[name] !== drawn[name]);
  const next = { ...latest, ...Object.fromEntries(changed.map((name) => [name, wanted[name]])) };
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value));
}
