import { useRead } from '#kit/browser/data/read.ts';
import { useStored } from '#kit/browser/ui/local-storage.ts';
import { today } from '#kit/browser/ui/show.ts';
import { workingYearName, workingYearOf, yearApi } from '../contract/year.ts';

/** The working year where it is another one than that of today, with the day of it that is next to today. */
export function useOtherYear() {
  const { data: years = [] } = useRead(yearApi.list, {});
  const year = workingYearOf(years, useStored(workingYearName));
  if (!year || year.id === workingYearOf(years, null)?.id) return undefined;
  const [, day = ''] = [year.startsOn, today(), year.endsOn].toSorted();
  return { ...year, day };
}

/** The working year of this device; undefined while it loads. */
export function useWorkingYear() {
  const { data: years = [] } = useRead(yearApi.list, {});
  return workingYearOf(years, useStored(workingYearName));
}
