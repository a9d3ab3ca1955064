import { useId } from 'react';

interface Props {
  label: string;
  value: string;
  min?: string;
  max?: string;
  onChange: (day: string) => void;
}

/** A day that a list is looked at on. */
export function FilterDay({ label, value, min, max, onChange }: Props) {
  const id = useId();
  return (
    <div className="filter-choice">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="date"
        className="box"
        {...{ value, min, max }}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
