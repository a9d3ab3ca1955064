import { useNavigate, useSearch } from '@tanstack/react-router';
import { backToTitle } from '#kit/browser/ui/PageHead.tsx';

/** What a filter says that is to hold for no row; no row has this number. */
export const everyone = '0';

export type Address = Partial<Record<string, string>>;

/** What a list shows, as its address says it: `tab`, search, filters, order and page. */
export function useListAddress() {
  const address: Address = useSearch({ strict: false });
  const navigate = useNavigate();
  const go = (wanted: Address) =>
    void navigate({ search: Object.fromEntries(Object.entries(wanted).filter(([, value]) => value)) as never });
  /** Shows other rows, from the first page on. */
  const narrow = (more: Address) => go({ ...address, after: '', before: '', countsAll: '', ...more });
  const turn = (place: { after?: string; before?: string }) => {
    go({ ...address, after: '', before: '', ...place });
    backToTitle();
  };
  return { address, go, narrow, turn };
}
