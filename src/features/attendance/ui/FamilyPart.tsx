import { Trans, useLingui } from '@lingui/react/macro';
import { Block } from '#features/family/ui/Block.tsx';
import type { FamilyPartView, TodayProps } from '#features/family/ui/part.ts';
import { useLanguage } from '#kit/browser/language.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { firstLetter, showMonthName } from '#kit/contract/format.ts';
import type { FamilyDay } from '../contract/family.ts';
import styles from './FamilyMonth.module.css';
import { type DayMark, lastTaken, markOf, monthRows, weekdayOf } from './family-month.ts';

/** Whether the child is at school, once its register of the day is taken. */
function Lines({ value, child: { id, name }, today }: TodayProps<readonly FamilyDay[]>) {
  const own = value.filter(({ studentId, day }) => studentId === id && day === today);
  const last = lastTaken(own);
  const mark = markOf(last ? [last] : own);
  const isHere = ['Present', 'Late', 'Half day'].includes(mark);
  const came = own.find(({ cameAt }) => cameAt)?.cameAt;
  const taken = last?.takenAt;
  return (
    <>
      <p>
        {own.length === 0 && <Trans>{name} has no school today</Trans>}
        {own.length > 0 && mark === 'Open' && <Trans>{name}: the register is not taken yet</Trans>}
        {mark === 'Absent' && <Trans>{name} is marked absent today</Trans>}
        {mark === 'Leave' && <Trans>{name} is on leave today</Trans>}
        {isHere && <Trans>{name} is at school</Trans>}
      </p>
      {isHere && came && (
        <p>
          <Trans>Came at {came}</Trans>
        </p>
      )}
      {!(isHere && came) && taken && (
        <p>
          <Trans>Register taken at {taken}</Trans>
        </p>
      )}
    </>
  );
}

interface Props {
  value: readonly FamilyDay[];
  childId: number;
  today: string;
}

/** The school days of the month with their marks, in words too. */
function OfChild({ value, childId, today }: Props) {
  const { t } = useLingui();
  const language = useLanguage();
  const words: Readonly<Record<DayMark, string>> = {
    Present: t`Present`,
    Late: t`Late`,
    'Half day': t`Half day`,
    Absent: t`Absent`,
    Leave: t`Leave`,
    Open: t`Not taken`,
    Off: t`No school`,
  };
  const own = value.filter(({ studentId }) => studentId === childId);
  const days = [...Map.groupBy(own, ({ day }) => day)].map(([day, marks]) => ({ day, mark: markOf(marks) }));
  const taken = days.filter(({ mark }) => mark !== 'Open');
  const there = taken.filter(({ mark }) => mark !== 'Absent' && mark !== 'Leave').length;
  const total = taken.length;
  const title = showMonthName(today, language);
  const marks = new Map(days.map(({ day, mark }) => [day, mark]));
  const shortDay = (day: string) => {
    const name = heads[weekdayOf(day)] ?? '';
    return `${language === 'en' ? name.slice(0, 3) : name} ${Number(day.slice(8))}`;
  };
  const heads = [t`Monday`, t`Tuesday`, t`Wednesday`, t`Thursday`, t`Friday`, t`Saturday`, t`Sunday`];
  return (
    <Block
      title={title}
      aside={
        total > 0 && (
          <Trans>
            {there} of {total} days at school
          </Trans>
        )
      }
    >
      <table className={styles.calendar}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" abbr={head}>
                {firstLetter(head)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {monthRows(today).map((week) => (
            <tr key={week.find((day) => day !== '')}>
              {week.map((day, place) => {
                const mark = marks.get(day) ?? 'Off';
                if (!day) return <td key={heads[place]} />;
                // A register of a later day is not missing.
                const word = mark === 'Open' && day > today ? '' : words[mark];
                const isShown = mark !== 'Off' && mark !== 'Open' && mark !== 'Present';
                return (
                  <td
                    key={day}
                    className={`${styles[mark.replace(' ', '')]} ${day === today ? styles.now : ''}`}
                    aria-current={day === today ? 'date' : undefined}
                  >
                    {Number(day.slice(8))}
                    {isShown ? <b>{firstLetter(words[mark])}</b> : null}
                    {word && <VisuallyHidden> {word}</VisuallyHidden>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <dl className={styles.words}>
        {(['Absent', 'Late', 'Half day', 'Leave'] as const).map((mark) => {
          const those = days.filter((one) => one.mark === mark).map(({ day }) => shortDay(day));
          return (
            those.length > 0 && (
              <div key={mark}>
                <dt>{words[mark]}</dt>
                <dd>{those.join(', ')}</dd>
              </div>
            )
          );
        })}
      </dl>
    </Block>
  );
}

const More = { Words: () => <Trans>Ask for leave</Trans>, load: () => import('./FamilyLeave.tsx') };

export const familyPart = {
  key: 'attendance',
  place: 4,
  Today: { place: 1, Lines },
  OfChild,
  More,
} satisfies FamilyPartView<readonly FamilyDay[]>;
