import { useKept } from '#kit/browser/kept.ts';
import { useRead } from '#kit/browser/read.ts';
import { academicApi, workingYearName, workingYearOf } from '../contract/school.ts';

/** The academic year somebody works in on this device, and the one before it. */
export function useWorkingYear() {
  const { data: years = [] } = useRead(academicApi.years, {});
  const year = workingYearOf(years, useKept(workingYearName));
  // The years come with the newest first.
  const before = year && years[years.findIndex(({ id }) => id === year.id) + 1];
  return { year, before };
}
