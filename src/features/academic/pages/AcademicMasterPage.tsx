import { useLingui } from '@lingui/react/macro';
import { MastersPage, tabOf } from '#kit/browser/master/MastersPage.tsx';
import { academicMasters, yearMaster } from '../contract/masters.ts';
import { YearTab } from './YearTab.tsx';

/** /school-erp/academic/academic-master: years, terms, boards, programs, grades, sections, rooms and houses. */
export function AcademicMasterPage() {
  const { t } = useLingui();
  const tabs = academicMasters.map((master) => (master === yearMaster ? tabOf(master, <YearTab />) : tabOf(master)));
  return <MastersPage title={t`Academic Master`} tabs={tabs} />;
}
