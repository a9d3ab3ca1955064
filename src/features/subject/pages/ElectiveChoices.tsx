import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { Stack, Text } from '#kit/browser/ui/Layout.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { InputOf } from '#kit/contract/endpoint.ts';
import { type ChoosingStudent, type ElectiveGroup, studentSubjectApi } from '../contract/student-subject.ts';
import { ChangedMatrix } from './ChangedMatrix.tsx';
import styles from './ElectiveChoices.module.css';

interface Props {
  place: Omit<InputOf<typeof studentSubjectApi.save>, 'changes'>;
  group: ElectiveGroup;
  students: ChoosingStudent[];
  isClosed: boolean;
}

/** Students as rows, a group's electives as columns; changes are saved together. */
export function ElectiveChoices({ place, group, students, isClosed }: Props) {
  const { t } = useLingui();
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const { subjects, min, max } = group;
  const hasNow = (student: ChoosingStudent, subjectId: number) =>
    student.chosen.includes(subjectId) !== changed.has(`${student.id} ${subjectId}`);
  const change = (key: string) => {
    const next = new Set(changed);
    if (!next.delete(key)) next.add(key);
    setChanged(next);
  };
  const input = () => {
    const changes = students.flatMap((student) =>
      subjects
        .filter(({ id }) => changed.has(`${student.id} ${id}`))
        .map(({ id }) => {
          const before = student.chosen.includes(id);
          return { enrollmentId: student.id, subjectId: id, before, after: !before };
        }),
    );
    return { ...place, changes };
  };
  /** The number of students, with unsaved changes. */
  const countOf = ({ id, chosen }: ElectiveGroup['subjects'][number]) =>
    students.reduce(
      (count, student) => (changed.has(`${student.id} ${id}`) ? count + (student.chosen.includes(id) ? -1 : 1) : count),
      chosen,
    );
  return (
    <ChangedMatrix
      label={t`Electives of each student`}
      className={styles.electives}
      changes={changed.size}
      onUndo={() => setChanged(new Set())}
      endpoint={studentSubjectApi.save}
      input={input}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">{t`Student`}</th>
            {subjects.map((subject) => (
              <th key={subject.id} scope="col">
                {subject.name}{' '}
                <Text as="span" weight={400} block>
                  {countOf(subject)}
                </Text>
                {!subject.isActive && <Chip>{t`Inactive`}</Chip>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {students.map((student) => {
            const count = subjects.filter(({ id }) => hasNow(student, id)).length;
            const { name } = student;
            return (
              <tr key={student.id}>
                <th scope="row">
                  {name}{' '}
                  <Text as="span" tone="soft" size={13} weight={400} block>
                    {[student.section, student.grNo].filter(Boolean).join(' · ')}{' '}
                    {student.until && <Chip>{t`Until ${showDate(student.until)}`}</Chip>}
                    {!student.until && count < min && <Chip>{t`Too few`}</Chip>}
                    {max !== null && count > max && <Chip kind="bad">{t`Too many`}</Chip>}
                  </Text>
                </th>
                {subjects.map((subject) => {
                  const key = `${student.id} ${subject.id}`;
                  return (
                    <td key={subject.id} data-changed={changed.has(key) || undefined}>
                      <Stack as="label" centre className={styles.cell}>
                        <input
                          type="checkbox"
                          aria-label={t`${name}: ${subject.name}`}
                          checked={hasNow(student, subject.id)}
                          // Students who left, and inactive subjects, allow removing a choice only.
                          disabled={
                            isClosed ||
                            ((student.until !== '' || !subject.isActive) && !student.chosen.includes(subject.id))
                          }
                          onChange={() => change(key)}
                        />
                      </Stack>
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </ChangedMatrix>
  );
}
