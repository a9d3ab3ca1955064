import type { ReactNode } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { seatApi } from '../contract/seat.ts';

/** Shows a list that has the year open for admission until the user chooses another: not the working year. */
export function OfAdmissionYear({ children }: { children: (usual: Record<string, string>) => ReactNode }) {
  const read = useRead(seatApi.year, {});
  return (
    <QueryBoundary query={read}>
      {({ id }) => children(id === null ? {} : { academicYearId: String(id) })}
    </QueryBoundary>
  );
}
