import { useId, useState } from 'react';

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
  // What is shown does not change below the keys of who types a day: its list comes later, and may be of another day.
  const [typed, setTyped] = useState<string>();
  const type = (day: string) => {
    setTyped(day);
    // A year's first figures make years long ago.
    if (day >= '1900') onChange(day);
  };
  const leave = () => {
    if (typed === '') onChange('');
    setTyped(undefined);
  };
  return (
    <div className="filter-choice">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="date"
        className="box"
        value={typed ?? value}
        min={min}
        max={max}
        onChange={(event) => type(event.currentTarget.value)}
        onBlur={leave}
      />
    </div>
  );
}
