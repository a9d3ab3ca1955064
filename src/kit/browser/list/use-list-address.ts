import { useSearch } from '@tanstack/react-router';
import { backToTitle } from '#kit/browser/ui/PageHead.tsx';
import { useSearchNavigate } from '#kit/browser/ui/PageLink.tsx';

/** What a filter says that is to hold for no row; no row has this number. */
export const everyone = '0';

export type Address = Partial<Record<string, string>>;

interface Place {
  after?: string;
  before?: string;
  countsAll?: string;
}

/** What a list shows, as its address says it: `tab`, search, filters, order and page. */
export function useListAddress<Shown extends Address = Address>() {
  const address: Shown = useSearch({ strict: false });
  const navigate = useSearchNavigate();
  /** Shows what is wanted and nothing else; what is empty stays out of the address. */
  const go = (wanted: Shown) => void navigate(Object.fromEntries(Object.entries(wanted).filter(([, value]) => value)));
  /** Shows other rows, from the first page on. */
  const narrow = (options: Shown) => go({ ...address, after: '', before: '', countsAll: '', ...options });
  /** Shows another page of the same rows. */
  const turn = (place: Place) => {
    go({ ...address, after: '', before: '', ...place });
    backToTitle();
  };
  return { address, go, narrow, turn };
}
