import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { useStored } from '#kit/browser/ui/local-storage.ts';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { type AcademicYear, workingYearName, workingYearOf, yearApi } from '../contract/year.ts';

/** What is shown of the year somebody works in, with all years; where there is none, where one is made. */
export function OfYear({ children }: { children: (year: AcademicYear, years: AcademicYear[]) => ReactNode }) {
  const query = useRead(yearApi.list, {});
  const kept = useStored(workingYearName);
  return (
    <QueryBoundary query={query}>
      {(years) => {
        const year = workingYearOf(years, kept);
        return year ? (
          children(year, years)
        ) : (
          <InAcademicMaster tab="year" lacks={<Trans>There are no academic years yet.</Trans>} />
        );
      }}
    </QueryBoundary>
  );
}

/** What is not there yet, and where it is added. */
export const InAcademicMaster = ({ tab, lacks }: { tab: string; lacks: ReactNode }) => (
  <p className="no-rows">
    {lacks}{' '}
    <PageLink to="/school-erp/academic/academic-master" search={{ tab }}>
      <Trans>Add the first one in the Academic Master</Trans>
    </PageLink>
  </p>
);
