import { useState } from 'react';
import { DateInput } from '#kit/browser/ui/DateInput.tsx';
import { isRealDate, unreal } from '#kit/contract/fields.ts';
import { useApiForm } from './ApiForm.tsx';
import { type Common, Question, useQuestion } from './question.tsx';

/** A date, typed with the day first or chosen in a calendar. An invalid date is reported when the box is left. */
export function DateField(props: Common) {
  const { values } = useApiForm();
  const [isLeft, setLeft] = useState(false);
  const value = String(values[props.name] ?? '');
  const isWrong = isLeft && value !== '' && !isRealDate(value);
  const parts = useQuestion({ ...props, problem: isWrong ? unreal : undefined });
  return (
    <Question parts={parts}>
      <DateInput
        id={props.name}
        name={props.name}
        value={value}
        aria-invalid={Boolean(parts.error)}
        aria-describedby={parts.described}
        onChange={(date) => {
          setLeft(false);
          parts.change(props.name, date);
        }}
        onLeave={() => setLeft(true)}
      />
    </Question>
  );
}
