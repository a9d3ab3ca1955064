import { useId, useState } from 'react';
import { ErrorText } from '#kit/browser/form/question.tsx';
import { DateInput } from '#kit/browser/ui/DateInput.tsx';
import { isRealDate, unreal } from '#kit/contract/fields.ts';
import { Filter } from './Filters.tsx';

interface Props {
  label: string;
  value: string;
  min?: string;
  max?: string;
  onChange: (day: string) => void;
}

/** The day that a list shows. */
export function FilterDay({ label, value, min, max, onChange }: Props) {
  const id = useId();
  // The box does not change while the user types: the list comes later, and may be of another day.
  const [typed, setTyped] = useState<string>();
  const [isWrong, setWrong] = useState(false);
  return (
    <Filter id={id} label={label}>
      <ErrorText id={`${id}-error`} error={isWrong ? unreal : undefined} />
      <DateInput
        id={id}
        value={typed ?? value}
        min={min}
        max={max}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-error` : undefined}
        onChange={(date) => {
          setTyped(date);
          setWrong(false);
          // The first digits of a year form a year of the distant past.
          if (date >= '1900' && isRealDate(date)) onChange(date);
        }}
        onLeave={(date) => {
          setWrong(date === undefined);
          if (date === undefined) return;
          if (date === '' && value !== '') onChange('');
          setTyped(undefined);
        }}
      />
    </Filter>
  );
}
