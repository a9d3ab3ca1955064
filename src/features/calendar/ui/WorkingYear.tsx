import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { translate } from '#kit/browser/text.ts';
import { useStored } from '#kit/browser/ui/local-storage.ts';
import { yearMaster } from '../contract/masters.ts';
import { type AcademicYear, workingYearName, workingYearOf, yearApi } from '../contract/year.ts';
import { AddInAcademicMaster } from './AddInAcademicMaster.tsx';
import { YearStrip } from './YearStrip.tsx';

interface Props {
  /** Renders the content for the working year; `beside` has the years before and after it. */
  children: (year: AcademicYear, beside: { before?: AcademicYear; next?: AcademicYear }) => ReactNode;
}

/** Provides the working year, or a link to add the first one. */
export function WorkingYear({ children }: Props) {
  const years = useRead(yearApi.list, {});
  const kept = useStored(workingYearName);
  return (
    <QueryBoundary query={years}>
      {(all) => {
        const year = workingYearOf(all, kept);
        if (!year)
          return <AddInAcademicMaster tab="year" message={<Trans>No {translate(yearMaster.plural)} yet.</Trans>} />;
        // The years come with the newest first.
        const place = all.findIndex(({ id }) => id === year.id);
        return (
          <>
            <YearStrip />
            {children(year, { before: all[place + 1], next: all[place - 1] })}
          </>
        );
      }}
    </QueryBoundary>
  );
}
