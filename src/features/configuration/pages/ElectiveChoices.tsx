import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { useAttempt } from '#kit/browser/attempt.tsx';
import { LeaveGuard } from '#kit/browser/LeaveGuard.tsx';
import { useSend } from '#kit/browser/read.ts';
import { useToast } from '#kit/browser/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { InputOf } from '#kit/contract/endpoint.ts';
import { type ChoosingStudent, type ElectiveGroup, studentSubjectApi } from '../contract/student-subject.ts';
import '#kit/browser/matrix.css';

interface Props {
  place: Omit<InputOf<typeof studentSubjectApi.save>, 'changes'>;
  group: ElectiveGroup;
  students: ChoosingStudent[];
  isClosed: boolean;
}

/** The students down, the electives of a group across; what was ticked is saved together. */
export function ElectiveChoices({ place, group, students, isClosed }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const save = useSend(studentSubjectApi.save);
  const { attempt, problem } = useAttempt();
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  // The button that was pressed is gone then.
  const table = useRef<HTMLElement>(null);
  const { subjects, min, max } = group;
  const hasNow = (student: ChoosingStudent, subjectId: number) =>
    student.chosen.includes(subjectId) !== changed.has(`${student.id} ${subjectId}`);
  const change = (key: string) => {
    const next = new Set(changed);
    if (!next.delete(key)) next.add(key);
    setChanged(next);
  };
  const undo = () => {
    setChanged(new Set());
    table.current?.focus();
  };
  const send = () =>
    attempt(async () => {
      const changes = students.flatMap((student) =>
        subjects
          .filter(({ id }) => changed.has(`${student.id} ${id}`))
          .map(({ id }) => {
            const before = student.chosen.includes(id);
            return { enrollmentId: student.id, subjectId: id, before, after: !before };
          }),
      );
      await save({ ...place, changes });
      undo();
      toast({ kind: 'success', title: t`Saved.` });
    });
  /** How many of the grade have it, with what is not saved yet. */
  const countOf = ({ id, chosen }: ElectiveGroup['subjects'][number]) =>
    students.reduce(
      (count, student) => (changed.has(`${student.id} ${id}`) ? count + (student.chosen.includes(id) ? -1 : 1) : count),
      chosen,
    );
  return (
    <>
      <LeaveGuard isChanged={changed.size > 0} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by the keyboard. */}
      <section ref={table} className="matrix electives" aria-label={t`Electives of each student`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t`Student`}</th>
              {subjects.map((subject) => (
                <th key={subject.id} scope="col">
                  {subject.name} <span className="electives-count">{countOf(subject)}</span>
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
                    <span className="electives-who">
                      {[student.section, student.grNo].filter(Boolean).join(' · ')}{' '}
                      {student.until && <span className="chip">{t`Until ${showDate(student.until)}`}</span>}
                      {!student.until && count < min && <span className="chip">{t`Too few`}</span>}
                      {max !== null && count > max && <span className="chip chip-bad">{t`Too many`}</span>}
                    </span>
                  </th>
                  {subjects.map((subject) => {
                    const key = `${student.id} ${subject.id}`;
                    return (
                      <td key={subject.id} className={changed.has(key) ? 'cell-changed' : undefined}>
                        <label className="electives-cell">
                          <input
                            type="checkbox"
                            aria-label={t`${name}: ${subject.name}`}
                            checked={hasNow(student, subject.id)}
                            // Who has left the grade chooses nothing any more, and what they have can be taken away.
                            disabled={isClosed || (student.until !== '' && !student.chosen.includes(subject.id))}
                            onChange={() => change(key)}
                          />
                        </label>
                      </td>
                    );
                  })}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      {changed.size > 0 && (
        <div className="matrix-foot">
          {problem}
          <span role="status">
            <Plural value={changed.size} one="# change is not saved yet" other="# changes are not saved yet" />
          </span>
          <button type="button" className="button" onClick={undo}>
            <Trans>Undo</Trans>
          </button>
          <button type="button" className="button button-main" onClick={send}>
            <Trans>Save</Trans>
          </button>
        </div>
      )}
    </>
  );
}
