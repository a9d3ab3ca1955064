import { useSyncExternalStore } from 'react';
import { useRead } from '#kit/browser/read.ts';
import { type AcademicYear, academicApi } from '../contract/school.ts';

const key = 'workingYear';
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The academic year somebody works in on this device: the one they chose, or the current one. */
export function useWorkingYear(): { years: AcademicYear[]; year: AcademicYear | undefined } {
  const { data: years = [] } = useRead(academicApi.years, {});
  const chosen = useSyncExternalStore(subscribe, () => localStorage.getItem(key));
  const isThat = ({ id }: AcademicYear) => String(id) === chosen;
  return { years, year: years.find(isThat) ?? years.find(({ status }) => status === 'Current') ?? years[0] };
}

export function chooseWorkingYear(id: string) {
  localStorage.setItem(key, id);
  for (const listener of listeners) listener();
}
