import { type Common, Question, useQuestion } from './question.tsx';

/** A day of the calendar, in the device's own way of writing and choosing one. */
export function DayField(props: Common) {
  const parts = useQuestion(props);
  return (
    <Question parts={parts} width="medium">
      <input
        type="date"
        className="box"
        id={props.name}
        name={props.name}
        value={String(parts.value ?? '')}
        min="1000-01-01"
        max="2999-12-31"
        aria-invalid={Boolean(parts.error)}
        aria-describedby={parts.described}
        onChange={(event) => parts.change(props.name, event.currentTarget.value)}
      />
    </Question>
  );
}
