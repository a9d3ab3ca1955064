import { type ReactNode, useId } from 'react';
import { Filter } from './Filters.tsx';

interface Props {
  label: string;
  value: string;
  /** The label for no choice; without it a choice is always made. */
  all?: string;
  onChange: (value: string) => void;
  /** The options. */
  children: ReactNode;
}

/** A choice that filters a list. */
export function FilterChoice({ label, value, all, onChange, children }: Props) {
  const id = useId();
  return (
    <Filter id={id} label={label}>
      <select id={id} className="box" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {all !== undefined && <option value="">{all}</option>}
        {children}
      </select>
    </Filter>
  );
}
