import { useLingui } from '@lingui/react/macro';
import { workingYearName, workingYearOf, yearApi } from '#features/calendar/contract/year.ts';
import { useRead } from '#kit/browser/data/read.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { store, useStored } from '#kit/browser/ui/local-storage.ts';
import styles from './YearSwitch.module.css';

/** The academic year that lists show and new records belong to. */
export function YearSwitch({ isInDrawer = false }: { isInDrawer?: boolean }) {
  const { t } = useLingui();
  const { narrow } = useListAddress();
  const { data: years = [], isPending } = useRead(yearApi.list, {});
  const year = workingYearOf(years, useStored(workingYearName));
  // While it loads, its room in the header stays free, so that the search does not move.
  if (!year) return isPending && !isInDrawer ? <span className={styles.room} /> : null;
  return (
    <select
      className={classNames('box', styles.switch, isInDrawer && styles['in-drawer'])}
      aria-label={t`Working year`}
      value={String(year.id)}
      onChange={(event) => {
        store(workingYearName, event.currentTarget.value);
        narrow({}); // Another year’s list begins at its first page.
      }}
    >
      {years.map(({ id, name, status }) => (
        <option key={id} value={String(id)}>
          {status === 'Closed' ? t`${name}, closed` : name}
        </option>
      ))}
    </select>
  );
}
