import { useLingui } from '@lingui/react/macro';
import { chooseWorkingYear, useWorkingYear } from '#features/academic/pages/working-year.ts';

/** The academic year that lists show and new records belong to. */
export function YearSwitch() {
  const { t } = useLingui();
  const { years, year } = useWorkingYear();
  if (!year) return null;
  return (
    <select
      className="box year-switch"
      aria-label={t`Working year`}
      value={String(year.id)}
      onChange={(event) => chooseWorkingYear(event.currentTarget.value)}
    >
      {years.map(({ id, name, status }) => (
        <option key={id} value={String(id)}>
          {status === 'Closed' ? t`${name}, closed` : name}
        </option>
      ))}
    </select>
  );
}
