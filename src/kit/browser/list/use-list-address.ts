import { useSearch } from '@tanstack/react-router';
import { backToTitle } from '#kit/browser/ui/PageHead.tsx';
import { useSearchNavigate } from '#kit/browser/ui/PageLink.tsx';

/** The filter value for all rows, since no row has this id. */
export const everyone = '0';

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
  /** Sets the state to exactly this; empty values stay out of the address. */
  const go = (wanted: Shown) => void navigate(Object.fromEntries(Object.entries(wanted).filter(([, value]) => value)));
  /** Changes the rows, starting at the first page. */
  const narrow = (options: Shown) => go({ ...address, after: '', before: '', countsAll: '', ...options });
  /** Shows another page of the same rows. */
  const turn = (place: PageOfList) => {
    go({ ...address, after: '', before: '', ...place });
    backToTitle();
  };
  return { address, go, narrow, turn };
}
