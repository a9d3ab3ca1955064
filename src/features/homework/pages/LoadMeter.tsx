import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { Box, Grid, List, Text } from '#kit/browser/ui/Layout.tsx';
import { Meter } from '#kit/browser/ui/Meter.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { SectionLoad } from '../contract/homework.ts';
import styles from './LoadMeter.module.css';

const weekday = new Intl.DateTimeFormat('en-IN', { weekday: 'short', timeZone: 'UTC' });
const weekdayOf = (day: string) => weekday.format(new Date(`${day}T00:00:00Z`));

/** The homework of a section in the days around the due day against the limit of its stage, with the other items. */
export function LoadMeter({ load }: { load: SectionLoad }) {
  const { t } = useLingui();
  const { section, limit, days, items, over, of } = load;
  const [worst] = over;
  const week = days.slice(0, 7);
  const ofWeek =
    worst?.minutes ??
    Math.max(
      0,
      week.reduce((sum, { minutes }) => sum + minutes, 0),
    );
  return (
    <Box as="section" mb={12} framed className={styles.load} aria-label={t`Homework of ${section}`}>
      <h3>{section}</h3>
      {limit.per === 'week' ? (
        <Meter label={t`Minutes of the week`} value={ofWeek} of={limit.minutes}>
          {t`${ofWeek} of ${limit.minutes} minutes this week`}
        </Meter>
      ) : (
        <List as="ol" className={styles.days}>
          {days.map((day) => (
            <Grid as="li" gap={8} align="center" key={day.day} className={classNames(!day.isSchool && styles.free)}>
              <span>{weekdayOf(day.day)}</span>
              <meter
                aria-label={t`${showDate(day.day)}: ${day.minutes} of ${limit.minutes} minutes`}
                min={0}
                max={Math.max(limit.minutes, day.minutes, 1)}
                value={day.minutes}
              />
              <span className={day.minutes > limit.minutes ? styles.over : undefined}>
                {day.minutes > 0 ? day.minutes : '–'}
                {day.minutes > limit.minutes && ` ${t`over`}`}
              </span>
            </Grid>
          ))}
        </List>
      )}
      {worst && (
        <p className={styles.over}>
          {limit.per === 'week' ? (
            <Trans>
              {worst.minutes} minutes in the week from {showDate(worst.period)}, over the limit of {limit.minutes}.
            </Trans>
          ) : (
            <Trans>
              {worst.minutes} minutes on {showDate(worst.period)}, over the limit of {limit.minutes}.
            </Trans>
          )}{' '}
          {worst.children < of && (
            <Plural value={of} one={`${worst.children} of # student.`} other={`${worst.children} of # students.`} />
          )}
        </p>
      )}
      {items.length > 0 && (
        <List mt={6} size={13}>
          {items.map((item) => (
            <Box as="li" py={2} line="above" key={item.id}>
              {item.title} <span className="soft">{[item.subject, item.teacher].join(' · ')}</span>{' '}
              <Text as="span" breaks="never">
                {t`${item.minutes} min, due ${showDate(item.dueOn)}`}
                {item.children !== null && (
                  <>
                    {', '}
                    <Plural value={item.children} one="# student" other="# students" />
                  </>
                )}
              </Text>
            </Box>
          ))}
        </List>
      )}
    </Box>
  );
}
