import { Trans, useLingui } from '@lingui/react/macro';
import { Questions, useQuestion } from '#kit/browser/form/question.tsx';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { type DayParts, readDay, readMonth } from '#kit/contract/day.ts';
import styles from './BirthDateField.module.css';

/**
 * Three boxes for day, month and year that together hold YYYY-MM-DD. A month may be typed as "mar"; a whole date pasted
 * into any box fills all three.
 */
export function BirthDateField({ name, owner }: { name: string; owner?: string }) {
  const { t } = useLingui();
  const hint = <Trans>For example 12 3 1988</Trans>;
  const question = useQuestion({ name, owner, hint, required: true });
  const { value, error, change } = question;
  const [year = '', month = '', day = ''] = String(value ?? '').split('-');
  const parts = { day, month, year };
  const faulty = faultyPart(parts);

  const put = (part: keyof typeof parts, typed: string) => {
    const whole = readDay(typed);
    const next = whole ?? { ...parts, [part]: typed.replaceAll('-', '') };
    const isEmpty = !next.day && !next.month && !next.year;
    change(name, isEmpty ? '' : [next.year, next.month, next.day].join('-'));
  };
  const normaliseMonth = () => put('month', readMonth(month));
  const padDay = () => put('day', /^[0-9]$/.test(day) ? `0${day}` : day);

  const box = (part: keyof typeof parts, words: string, onLeave: () => void) => (
    <div className={classNames(styles.part, part === 'year' && styles.year)}>
      <label htmlFor={`${name}-${part}`}>{words}</label>
      <input
        className="box"
        id={`${name}-${part}`}
        name={name}
        value={parts[part]}
        inputMode={part === 'month' ? undefined : 'numeric'}
        autoComplete="off"
        maxLength={20}
        aria-invalid={Boolean(error)}
        data-faulty={Boolean(error) && faulty === part}
        onChange={(event) => put(part, event.currentTarget.value)}
        onBlur={onLeave}
      />
    </div>
  );
  return (
    <Questions parts={question}>
      <div className={styles.date}>
        {box('day', t`Day`, padDay)}
        {box('month', t`Month`, normaliseMonth)}
        {box('year', t`Year`, () => undefined)}
      </div>
    </Questions>
  );
}

function faultyPart({ day, month, year }: DayParts): keyof DayParts {
  if (!/^[0-9]{2}$/.test(day) || Number(day) > 31 || day === '00') return 'day';
  if (!/^[0-9]{2}$/.test(month) || Number(month) > 12 || month === '00') return 'month';
  if (!/^[0-9]{4}$/.test(year)) return 'year';
  return 'day';
}
