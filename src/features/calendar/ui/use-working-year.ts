import { useRead } from '#kit/browser/data/read.ts';
import { useStored } from '#kit/browser/ui/local-storage.ts';
import { workingYearName, workingYearOf, yearApi } from '../contract/year.ts';

/** The working year of this device; undefined while it loads. */
export function useWorkingYear() {
  const { data: years = [] } = useRead(yearApi.list, {});
  return workingYearOf(years, useStored(workingYearName));
}
