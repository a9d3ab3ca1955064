import { Trans, useLingui } from '@lingui/react/macro';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { CalendarTab, YearTab } from '#features/calendar/ui/tabs.ts';
import { useWorkingYear } from '#features/calendar/ui/use-working-year.ts';
import { useRollActs } from '#features/student/ui/use-roll-acts.tsx';
import { useTeacherActs } from '#features/teaching/ui/use-teacher-acts.tsx';
import { MasterPage } from '#kit/browser/master/MasterPage.tsx';
import { MastersPage, tabOf } from '#kit/browser/master/MastersPage.tsx';
import type { Master } from '#kit/contract/master.ts';
import { academicMasterTabs, sectionMaster } from '../contract/masters.ts';
import { GradingScales } from './GradingScales.tsx';

/** /school-erp/academic/academic-master: years, terms, boards, programs, grades, sections, rooms and houses, grading scales and the calendar. */
export function AcademicMasterPage() {
  const { t } = useLingui();
  const tabs = [
    ...academicMasterTabs.map((master) => tabOf(master, bodyOf(master))),
    { key: 'grading-scale', title: t`Grading scales`, body: <GradingScales /> },
    { key: 'calendar', title: t`Calendar`, body: <CalendarTab /> },
  ];
  return <MastersPage title={t`Academic Master`} tabs={tabs} />;
}

function bodyOf(master: Master) {
  if (master === yearMaster) return <YearTab />;
  return 'academicYearId' in master.fields ? <OfWorkingYear key={master.table} master={master} /> : undefined;
}

/** Shows the records of the working year. */
function OfWorkingYear({ master }: { master: Master }) {
  const year = useWorkingYear();
  const name = year?.name;
  const acts = { ...useTeacherActs(), ...useRollActs() };
  return (
    <MasterPage
      master={master}
      usual={year && { academicYearId: String(year.id) }}
      usually={name}
      acts={master === sectionMaster ? acts : undefined}
      closed={year?.status === 'Closed' && <Trans>{name} is closed. It can only be read.</Trans>}
    />
  );
}
