import { useRead } from '#kit/browser/data/read.ts';
import { useKept } from '#kit/browser/ui/local-storage.ts';
import { academicApi, workingYearName, workingYearOf } from '../contract/school.ts';

/** The academic year somebody works in on this device, once it is known. */
export function useWorkingYear() {
  const { data: years = [] } = useRead(academicApi.years, {});
  return workingYearOf(years, useKept(workingYearName));
}
