import { useLingui } from '@lingui/react/macro';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { DateInput } from '#kit/browser/ui/DateInput.tsx';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import styles from './DayNav.module.css';
import { weekdayOf } from './weekday.ts';

interface Props {
  day: string;
  today: string;
  /** How many days after today are chosen too. */
  ahead?: number;
  onDay: (day: string) => void;
}

/** A day until today, or some days further, with the day before and after it. */
export function DayNav({ day, today, ahead = 0, onDay }: Props) {
  const { t } = useLingui();
  const last = shift(today, ahead);
  return (
    <Row as="span" inline align="center" className={styles.day}>
      <IconButton label={t`Day before`} onClick={() => onDay(shift(day, -1))}>
        <IconChevronLeft size={18} aria-hidden />
      </IconButton>
      <span className={styles.weekday}>{weekdayOf(day)}</span>
      <DateInput
        key={day}
        aria-label={t`Day`}
        value={day}
        max={last}
        onChange={() => undefined}
        onLeave={(chosen) => chosen && chosen !== day && onDay(chosen)}
      />
      <IconButton label={t`Day after`} disabled={day >= last} onClick={() => onDay(shift(day, 1))}>
        <IconChevronRight size={18} aria-hidden />
      </IconButton>
    </Row>
  );
}

function shift(day: string, by: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + by);
  return date.toISOString().slice(0, 10);
}
