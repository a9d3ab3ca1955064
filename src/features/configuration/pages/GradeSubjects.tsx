import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { programMaster } from '#features/academic/contract/masters.ts';
import { academicApi, workingYearName, workingYearOf } from '#features/academic/contract/school.ts';
import { useAttempt } from '#kit/browser/attempt.tsx';
import { useKept } from '#kit/browser/kept.ts';
import { useListAddress } from '#kit/browser/master/use-list-address.ts';
import { Reading } from '#kit/browser/Reading.tsx';
import { useRead, useSend } from '#kit/browser/read.ts';
import { useToast } from '#kit/browser/toast.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { gradeSubjectApi, type Taken } from '../contract/grade-subject.ts';
import { CopySubjects } from './CopySubjects.tsx';
import '#kit/browser/matrix.css';

/** Which grade of a program is taught which subject in the working year. */
export function GradeSubjects() {
  const { t } = useLingui();
  const { data: years = [] } = useRead(academicApi.years, {});
  const year = workingYearOf(years, useKept(workingYearName));
  const { address, narrow } = useListAddress();
  const { data: programs } = useRead(programMaster.api.options, {});
  if (!year || !programs) return null;
  const active = programs.filter(({ isActive }) => isActive);
  const program = active.find(({ id }) => String(id) === address.program) ?? active[0];
  if (!program) {
    return (
      <p className="no-rows">
        <Trans>There are no programs yet.</Trans>{' '}
        <Link to="/school-erp/academic/academic-master" search={{ tab: 'program' } as never}>
          <Trans>Add one in the Academic Master</Trans>
        </Link>
      </p>
    );
  }
  return (
    <>
      <div className="list-head">
        <div className="filter-choice">
          <label htmlFor="program">{t`Program`}</label>
          <select
            id="program"
            className="box"
            value={String(program.id)}
            onChange={(event) => narrow({ program: event.currentTarget.value })}
          >
            {active.map(({ id, name }) => (
              <option key={id} value={String(id)}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <CopySubjects to={year} years={years} />
      </div>
      <Matrix key={`${year.id} ${program.id}`} academicYearId={year.id} programId={program.id} />
    </>
  );
}

interface PlaceProps {
  academicYearId: number;
  programId: number;
}

function Matrix(place: PlaceProps) {
  const query = useRead(gradeSubjectApi.read, place);
  return <Reading query={query}>{(matrix) => <Cells matrix={matrix} place={place} />}</Reading>;
}

interface CellsProps {
  matrix: OutputOf<typeof gradeSubjectApi.read>;
  place: PlaceProps;
}

/** The subjects down, the grades across; what was changed is saved together. */
function Cells({ matrix: { grades, subjects, groups, cells, isClosed }, place }: CellsProps) {
  const { t } = useLingui();
  const toast = useToast();
  const save = useSend(gradeSubjectApi.save);
  const { attempt, problem } = useAttempt();
  const [changed, setChanged] = useState(new Map<string, Taken>());
  const stored = new Map(cells.map(({ gradeId, subjectId, taken }) => [`${gradeId} ${subjectId}`, taken]));
  if (subjects.length === 0 || grades.length === 0) {
    return (
      <p className="no-rows soft">
        <Trans>Add subjects first, and grades in the Academic Master: this is where they meet.</Trans>
      </p>
    );
  }
  const change = (key: string, taken: Taken) => {
    const next = new Map(changed);
    if ((stored.get(key) ?? '') === taken) next.delete(key);
    else next.set(key, taken);
    setChanged(next);
  };
  const send = () =>
    attempt(async () => {
      const changes = [...changed].map(([key, after]) => {
        const [gradeId = 0, subjectId = 0] = key.split(' ').map(Number);
        return { gradeId, subjectId, before: stored.get(key) ?? '', after };
      });
      await save({ ...place, changes });
      setChanged(new Map());
      toast({ kind: 'success', title: t`Saved.` });
    });
  return (
    <>
      {isClosed && (
        <p className="notice">
          <Trans>This academic year is closed. It can only be read.</Trans>
        </p>
      )}
      <p className="soft">
        <Trans>C is compulsory, E an elective, – not taught.</Trans>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by the keyboard. */}
      <section className="matrix" aria-label={t`Subjects of each grade`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t`Subject`}</th>
              {grades.map(({ id, name }) => (
                <th key={id} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {subjects.map((subject) => (
              <tr key={subject.id}>
                <th scope="row">{subject.name}</th>
                {grades.map((grade) => {
                  const key = `${grade.id} ${subject.id}`;
                  const taken = changed.get(key) ?? stored.get(key) ?? '';
                  return (
                    <td key={grade.id} className={changed.has(key) ? 'cell-changed' : undefined}>
                      <select
                        aria-label={t`${subject.name} in ${grade.name}`}
                        className={taken === '' ? 'cell' : 'cell cell-taken'}
                        value={taken}
                        disabled={isClosed}
                        onChange={(event) => change(key, event.currentTarget.value)}
                      >
                        <option value="">–</option>
                        <option value="C">C</option>
                        <option value="E">E</option>
                        {groups.map(({ id, name }) => (
                          <option key={id} value={`E${id}`}>{t`E, ${name}`}</option>
                        ))}
                      </select>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {problem}
      {changed.size > 0 && (
        <div className="matrix-foot">
          <span role="status">
            <Plural value={changed.size} one="# change is not saved yet" other="# changes are not saved yet" />
          </span>
          <button type="button" className="button" onClick={() => setChanged(new Map())}>
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
