import { useRead } from '#kit/browser/data/read.ts';
import { useStored } from '#kit/browser/ui/local-storage.ts';
import { workingYearName, workingYearOf, yearApi } from '../contract/year.ts';

/** The academic year somebody works in on this device, once it is known. */
export function useWorkingYear() {
  const { data: years = [] } = useRead(yearApi.list, {});
  return workingYearOf(years, useStored(workingYearName));
}
