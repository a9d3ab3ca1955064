import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconPlus } from '@tabler/icons-react';
import { apartness } from '#features/academic/ui/section-names.ts';
import { Matrix } from '#kit/browser/master/Matrix.tsx';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { HistoryButton } from '#kit/browser/ui/HistoryButton.tsx';
import { Row, Text } from '#kit/browser/ui/Layout.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { Assigned, sectionTeacherApi, TeacherRole } from '../contract/section-teacher.ts';
import styles from './TeacherMatrix.module.css';

/** An assignment, or a cell for a new one. */
export type Opened = { entry: Assigned } | { sectionId: number; role: TeacherRole; subjectId: number | null };

interface Props {
  mapping: OutputOf<typeof sectionTeacherApi.read>;
  isOneGrade: boolean;
  onOpen: (opened: Opened) => void;
  onHistory: (section: { id: number; name: string }) => void;
}

interface Column {
  role: TeacherRole;
  subjectId: number | null;
  head: string;
  title: string;
  isActive: boolean;
}

/** Sections as rows; class teachers and subjects as columns. */
export function TeacherMatrix({ mapping, isOneGrade, onOpen, onHistory }: Props) {
  const { t } = useLingui();
  const { sections, subjects, assigned, on, isClosed, omitted } = mapping;
  const apart = apartness(sections);
  const fullName = (name: string, section: Parameters<typeof apart>[0]) =>
    [name, apart(section)].filter(Boolean).join(', ');
  const columns: Column[] = [
    { role: 'Class teacher', subjectId: null, head: t`Class teacher`, title: t`Class teacher`, isActive: true },
    {
      role: 'Co-class teacher',
      subjectId: null,
      head: t`Co-class teacher`,
      title: t`Co-class teacher`,
      isActive: true,
    },
    ...subjects.map(({ id, name, shortName, isActive }) => ({
      role: 'Subject teacher' as const,
      subjectId: id,
      head: shortName,
      title: name,
      isActive,
    })),
  ];
  return (
    <div>
      <Matrix label={t`Teachers of each section`} className={classNames(styles.teachers, styles.cards)}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t`Section`}</th>
              <th scope="col">
                <VisuallyHidden>{t`History`}</VisuallyHidden>
              </th>
              {columns.map(({ role, subjectId, head, title, isActive }) => (
                <th key={`${role} ${subjectId}`} scope="col">
                  {subjectId === null ? head : <abbr title={title}>{head}</abbr>}
                  {!isActive && (
                    <Text as="span" size={13} weight={400} block className={styles.below}>
                      <Trans>inactive</Trans>
                    </Text>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sections.map(({ id, name, subjectIds, ...section }) => (
              <tr key={id}>
                <th scope="row">
                  {name}
                  <Text as="span" size={13} weight={400} block className={styles.below}>
                    {apart(section)}
                  </Text>
                </th>
                <td>
                  <HistoryButton
                    name={fullName(name, section)}
                    onOpen={() => onHistory({ id, name: fullName(name, section) })}
                  />
                </td>
                {columns.map(({ role, subjectId, title, isActive }) => (
                  <td
                    key={`${role} ${subjectId}`}
                    data-head={title}
                    className={isTaught(subjectId, subjectIds) ? undefined : styles.untaught}
                  >
                    {isTaught(subjectId, subjectIds) ? (
                      <Cell
                        entries={assigned.filter(
                          (entry) => entry.sectionId === id && entry.role === role && entry.subjectId === subjectId,
                        )}
                        on={on}
                        onOpen={onOpen}
                        takesNobody={isClosed || !isActive}
                        place={{ sectionId: id, role, subjectId }}
                        name={t`${name}: ${title}`}
                      />
                    ) : (
                      <span className="soft">–</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Matrix>
      {omitted > 0 && (
        <p className="soft">
          <Plural value={omitted} one="# more entry is not shown." other="# more entries are not shown." />
        </p>
      )}
      {!isOneGrade && (
        <p className="soft">
          <Trans>Choose a grade to see the teachers of its subjects.</Trans>
        </p>
      )}
      {isOneGrade && subjects.length === 0 && (
        <p className="soft">
          <Trans>This grade has no subjects this year. Add them in the Subject Master.</Trans>
        </p>
      )}
    </div>
  );
}

const isTaught = (subjectId: number | null, taught: readonly number[]) =>
  subjectId === null || taught.includes(subjectId);

interface CellProps {
  entries: Assigned[];
  on: string;
  /** The year is closed, or the subject is inactive. */
  takesNobody: boolean;
  place: { sectionId: number; role: TeacherRole; subjectId: number | null };
  name: string;
  onOpen: (opened: Opened) => void;
}

function Cell({ entries, on, takesNobody, place, name, onOpen }: CellProps) {
  const { t } = useLingui();
  const isHeld = entries.some(({ effectiveFrom, isActive }) => effectiveFrom <= on && isActive);
  const isNeeded = place.role !== 'Co-class teacher';
  // A section has one class teacher at a time, who is replaced instead.
  const isFull = place.role === 'Class teacher' && entries.some(({ effectiveTo }) => effectiveTo === '');
  return (
    <Row gap={4} wrap className={styles.cell}>
      {entries.map((entry) => (
        <button
          key={entry.id}
          type="button"
          className={classNames(styles.teacher, !entry.isActive && styles.left)}
          onClick={() => onOpen({ entry })}
        >
          {entry.staff} <VisuallyHidden>({name})</VisuallyHidden>
          {!entry.isActive && (
            <Text as="span" size={13} weight={400} block className={styles.below}>
              <Trans>inactive</Trans>
            </Text>
          )}
          <Days entry={entry} on={on} />
        </button>
      ))}
      {!takesNobody && !isFull && (
        <Row
          as="button"
          inline
          gap={4}
          align="center"
          type="button"
          className={classNames(styles.add, !isHeld && isNeeded && styles.gap)}
          aria-label={t`Assign ${name}`}
          onClick={() => onOpen(place)}
        >
          <IconPlus size={16} aria-hidden />
          {!isHeld && isNeeded && <Trans>Assign</Trans>}
        </Row>
      )}
    </Row>
  );
}

/** The days of an entry that does not hold from now to the end of the year. */
function Days({ entry: { effectiveFrom, effectiveTo }, on }: { entry: Assigned; on: string }) {
  const isLater = effectiveFrom > on;
  if (!isLater && !effectiveTo) return null;
  const [from, until] = [showDate(effectiveFrom), effectiveTo && showDate(effectiveTo)];
  return (
    <Text as="span" size={13} weight={400} block className={styles.below}>
      {!isLater ? <Trans>until {until}</Trans> : until ? `${from} – ${until}` : <Trans>from {from}</Trans>}
    </Text>
  );
}
