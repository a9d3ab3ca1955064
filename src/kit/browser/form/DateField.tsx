import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DateInput } from '#kit/browser/ui/DateInput.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { addDays, lacksYear, type Toward } from '#kit/browser/ui/read-date.ts';
import { today } from '#kit/browser/ui/show.ts';
import { isRealDate, unreal } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';
import styles from './DateField.module.css';
import { useApiForm } from './form-context.ts';
import { type Common, Question, useQuestion } from './question.tsx';

interface Props extends Common {
  /** Which day is meant where the year is not typed; by default the nearest. */
  toward?: Toward;
  /** The field of the first day of a span that usually has one day: this one follows it until it is another. */
  follows?: string;
  /** Offers the days on which people are usually called again. */
  hasQuickDays?: boolean;
}

const noYear = text`Add the year.`;

/** A date, typed with the day first or chosen in a calendar. An invalid date is reported when the box is left. */
export function DateField({ toward, follows, hasQuickDays = false, ...common }: Props) {
  const { t } = useLingui();
  const { values } = useApiForm();
  const [isLeft, setLeft] = useState(false);
  const { name } = common;
  const value = String(values[name] ?? '');
  const isWrong = isLeft && value !== '' && !isRealDate(value);
  const parts = useQuestion({ ...common, problem: isWrong ? (lacksYear(value) ? noYear : unreal) : undefined });
  const first = follows === undefined ? '' : String(values[follows] ?? '');
  const before = useRef(first);
  const follow = useEffectEvent(() => {
    if (isRealDate(first) && value !== first && (value === '' || value === before.current)) parts.change(name, first);
    before.current = first;
  });
  useEffect(() => {
    if (first) follow();
  }, [first]);
  const quickDays: [string, number][] = hasQuickDays
    ? [
        [t`Tomorrow`, 1],
        [t`In 3 days`, 3],
        [t`Next week`, 7],
      ]
    : [];
  return (
    <Question parts={parts}>
      <DateInput
        id={name}
        name={name}
        value={value}
        toward={toward}
        aria-invalid={Boolean(parts.error)}
        aria-describedby={parts.described}
        onChange={(date) => {
          setLeft(false);
          parts.change(name, date);
        }}
        onLeave={() => setLeft(true)}
      />
      {quickDays.length > 0 && (
        <Row gap={4} wrap mt={4} className={styles.days}>
          {quickDays.map(([words, days]) => (
            <Button key={days} onClick={() => parts.change(name, addDays(today(), days))}>
              {words}
            </Button>
          ))}
        </Row>
      )}
    </Question>
  );
}
