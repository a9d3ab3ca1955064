import { useWorkingYear } from '#features/calendar/ui/use-working-year.ts';
import { useRead } from '#kit/browser/data/read.ts';
import { frequencyApi } from '../contract/frequency.ts';

/** The days on which nothing falls due. */
export function useDaysOff(): ReadonlySet<string> {
  const { data } = useRead(frequencyApi.daysOff, {});
  return new Set(data?.days ?? []);
}

/** The working year as due days need it; undefined while it loads. */
export function useYearOfDues() {
  const [year, daysOff] = [useWorkingYear(), useDaysOff()];
  return year && { ...year, daysOff };
}
