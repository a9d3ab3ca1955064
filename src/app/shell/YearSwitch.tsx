import { useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import {
  type AcademicYear,
  choiceOf,
  currentYearOf,
  keptChoice,
  workingYearName,
  workingYearOf,
  yearApi,
} from '#features/calendar/contract/year.ts';
import { useRead } from '#kit/browser/data/read.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { store, useStored } from '#kit/browser/ui/local-storage.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import styles from './YearSwitch.module.css';

const noYears: AcademicYear[] = [];

/** The academic year that lists show and new records belong to. */
export function YearSwitch({ isInDrawer = false }: { isInDrawer?: boolean }) {
  const { t } = useLingui();
  const { narrow } = useListAddress();
  const { data: years = noYears, isPending } = useRead(yearApi.list, {});
  const kept = useStored(workingYearName);
  useDroppedChoice(years, isInDrawer ? null : kept);
  const [year, current] = [workingYearOf(years, kept), currentYearOf(years)];
  // While it loads, its room in the header stays free, so that the search does not move.
  if (!year || !current) return isPending && !isInDrawer ? <span className={styles.room} /> : null;
  const words = ({ name, phase }: AcademicYear) =>
    phase === 'Closed' ? t`${name}, closed` : phase === 'Ended' ? t`${name}, ended` : name;
  return (
    <select
      className={classNames('box', styles.switch, isInDrawer && styles['in-drawer'])}
      aria-label={t`Working year`}
      value={String(year.id)}
      onChange={(event) => {
        store(workingYearName, keptChoice(Number(event.currentTarget.value), current.id));
        narrow({}); // Another year’s list begins at its first page.
      }}
    >
      {years.map((one) => (
        <option key={one.id} value={String(one.id)}>
          {words(one)}
        </option>
      ))}
    </select>
  );
}

/** Drops a choice that was made while another year was current, and says once that lists show the new one. */
function useDroppedChoice(years: readonly AcademicYear[], kept: string | null) {
  const { t } = useLingui();
  const toast = useToast();
  useEffect(() => {
    const [current, chosen] = [currentYearOf(years), choiceOf(kept)];
    if (!current || !chosen || chosen.when === current.id) return;
    store(workingYearName, '');
    if (chosen.id !== current.id) toast({ kind: 'success', title: t`${current.name} has begun. Lists show it now.` });
  }, [years, kept, toast, t]);
}
