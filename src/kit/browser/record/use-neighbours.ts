import { useReadList } from '#kit/browser/data/read.ts';
import { lastList, noteOpen, turnList } from '#kit/browser/list/last-list.ts';
import type { RecordListDefinition } from '#kit/contract/record-list.ts';

interface Neighbour {
  id: number;
  /** Called before it is opened. */
  go?: () => void;
}

/** The records beside one in the list that it was opened from, read as the list reads them; none where it was not. */
export function useNeighbours(list: RecordListDefinition, id: number) {
  const last = lastList(list.name);
  const pageAt = (place: object) => ({ ...last?.asked, ...place }) as never;
  const page = useReadList(list.api.list, pageAt(last?.place ?? {}), last !== undefined);
  const { rows = [], previous = null, next = null } = page.isPlaceholderData ? {} : (page.data ?? {});
  const ids = rows.map((row) => row.id);
  const found = ids.indexOf(id);
  // After an act it may belong to the list no longer: those beside its place are the neighbours then.
  const index = found < 0 && last?.open?.id === id ? last.open.index : found;
  if (found >= 0) noteOpen(list.name, { id, index: found });
  const isLast = index >= 0 && index + (found < 0 ? 0 : 1) >= ids.length;
  const after = useReadList(list.api.list, pageAt({ after: next }), isLast && next !== null);
  const before = useReadList(list.api.list, pageAt({ before: previous }), index === 0 && previous !== null);
  if (!last || index < 0) return {};
  const { start } = last;
  const count = ids.length;
  const firstAfter = isLast && next ? after.data?.rows[0] : undefined;
  const lastBefore = index === 0 && previous ? before.data?.rows.at(-1) : undefined;
  const at = (place: number): Neighbour | undefined => {
    const other = ids[place];
    return other === undefined ? undefined : { id: other };
  };
  return {
    place: start === undefined || found < 0 ? undefined : start + index + 1,
    total: page.data?.total ?? 0,
    isMore: page.data?.isMore ?? false,
    next: firstAfter
      ? {
          id: firstAfter.id,
          go: () =>
            turnList(list.name, {
              place: { after: next ?? '' },
              start: start === undefined ? undefined : start + count,
            }),
        }
      : at(found < 0 ? index : index + 1),
    previous: lastBefore
      ? {
          id: lastBefore.id,
          go: () =>
            turnList(list.name, {
              place: { before: previous ?? '' },
              start: start === undefined ? undefined : Math.max(start - (before.data?.rows.length ?? 0), 0),
            }),
        }
      : at(index - 1),
  } satisfies { next?: Neighbour; previous?: Neighbour; [more: string]: unknown };
}
