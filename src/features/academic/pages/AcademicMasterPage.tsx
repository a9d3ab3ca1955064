import { lazy, type ReactNode, Suspense } from 'react';
import { ClosedYear } from '#features/calendar/ui/ClosedYear.tsx';
import { useWorkingYear } from '#features/calendar/ui/use-working-year.ts';
import { YearStrip } from '#features/calendar/ui/YearStrip.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { MasterPage } from '#kit/browser/master/MasterPage.tsx';
import { keyOf, MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { listsOf } from '#kit/browser/master/master-lists.tsx';
import type { Master } from '#kit/contract/master.ts';
import { academicMasterTabs, gradeMaster } from '../contract/masters.ts';
import { academicPages } from '../contract/pages.ts';

// Parts of which each is opened now and then.
const GradingScales = lazy(async () => ({ default: (await import('./GradingScales.tsx')).GradingScales }));
const YearTab = lazy(async () => ({ default: (await import('#features/calendar/ui/YearTab.ts')).YearTab }));
const CalendarTab = lazy(async () => ({ default: (await import('#features/calendar/ui/CalendarTab.ts')).CalendarTab }));

/** /school-erp/academic/academic-master: years, terms, boards, programs, grades, sections, rooms and houses, grading scales and the calendar. */
export function AcademicMasterPage() {
  const ofYear = academicMasterTabs.filter(({ fields }) => 'academicYearId' in fields);
  const bodies = {
    ...listsOf(academicMasterTabs),
    ...Object.fromEntries(
      ofYear.map((master) => [keyOf(master), <OfWorkingYear key={master.table} master={master} />]),
    ),
    year: later(<YearTab />),
    'grading-scale': later(<GradingScales />),
    calendar: later(<CalendarOfGrades />),
  };
  return <MastersPage page={academicPages[0]} bodies={bodies} />;
}

const later = (tab: ReactNode) => <Suspense fallback={null}>{tab}</Suspense>;

function CalendarOfGrades() {
  const { data: grades = [] } = useRead(gradeMaster.api.options, {});
  return <CalendarTab grades={grades} />;
}

/** Shows the records of the working year. */
function OfWorkingYear({ master }: { master: Master }) {
  const year = useWorkingYear();
  const name = year?.name;
  return (
    <>
      <YearStrip />
      <MasterPage
        master={master}
        usual={year && { academicYearId: String(year.id) }}
        usually={name}
        closed={year?.phase === 'Closed' && <ClosedYear />}
      />
    </>
  );
}
