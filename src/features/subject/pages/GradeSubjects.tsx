import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { programMaster } from '#features/academic/contract/masters.ts';
import type { AcademicYear } from '#features/calendar/contract/year.ts';
import { AddInAcademicMaster } from '#features/calendar/ui/AddInAcademicMaster.tsx';
import { ClosedYear } from '#features/calendar/ui/ClosedYear.tsx';
import { WorkingYear } from '#features/calendar/ui/WorkingYear.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { RecordPicker } from '#kit/browser/master/RecordPicker.tsx';
import { translate } from '#kit/browser/text.ts';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { gradeSubjectApi, type Taken } from '../contract/grade-subject.ts';
import { ChangedMatrix } from './ChangedMatrix.tsx';
import { CopySubjects } from './CopySubjects.tsx';
import styles from './GradeSubjects.module.css';

/** The subjects of a program's grades in the working year. */
export const GradeSubjects = () => (
  <WorkingYear>{(year, { before }) => <OfYear key={year.id} year={year} before={before} />}</WorkingYear>
);

interface YearProps {
  year: AcademicYear;
  before: AcademicYear | undefined;
}

/** Begins with the program that has most of the subjects. */
function OfYear({ year, before }: YearProps) {
  const filled = useRead(gradeSubjectApi.programs, { academicYearId: year.id });
  return (
    <QueryBoundary query={filled}>
      {(preferred) => (
        <RecordPicker
          master={programMaster}
          preferred={preferred}
          none={
            <AddInAcademicMaster tab="program" message={<Trans>No {translate(programMaster.plural)} yet.</Trans>} />
          }
        >
          {({ id }, choice) => (
            <>
              <div className="list-head">
                {choice}
                {before && year.phase !== 'Closed' && <CopySubjects from={before} to={year} />}
              </div>
              <Matrix key={`${year.id} ${id}`} academicYearId={year.id} programId={id} />
            </>
          )}
        </RecordPicker>
      )}
    </QueryBoundary>
  );
}

interface PlaceProps {
  academicYearId: number;
  programId: number;
}

function Matrix(place: PlaceProps) {
  const query = useRead(gradeSubjectApi.read, place);
  return <QueryBoundary query={query}>{(matrix) => <Cells matrix={matrix} place={place} />}</QueryBoundary>;
}

interface CellsProps {
  matrix: OutputOf<typeof gradeSubjectApi.read>;
  place: PlaceProps;
}

/** Subjects as rows, grades as columns; changes are saved together. */
function Cells({ matrix: { grades, subjects, groups, cells, isClosed }, place }: CellsProps) {
  const { t } = useLingui();
  const [changed, setChanged] = useState(new Map<string, Taken>());
  const stored = new Map(cells.map(({ gradeId, subjectId, taken }) => [`${gradeId} ${subjectId}`, taken]));
  if (subjects.length === 0 || grades.length === 0) {
    return (
      <EmptyState
        message={<Trans>Add subjects in the Subject Master and grades in the Academic Master first.</Trans>}
      />
    );
  }
  const change = (key: string, taken: Taken) => {
    const next = new Map(changed);
    if ((stored.get(key) ?? '') === taken) next.delete(key);
    else next.set(key, taken);
    setChanged(next);
  };
  const input = () => {
    const changes = [...changed].map(([key, after]) => {
      const [gradeId = 0, subjectId = 0] = key.split(' ').map(Number);
      return { gradeId, subjectId, before: stored.get(key) ?? '', after };
    });
    return { ...place, changes };
  };
  return (
    <>
      {isClosed && (
        <Notice>
          <ClosedYear />
        </Notice>
      )}
      <p className="soft">
        <Trans>C: compulsory, E: elective, –: not taught.</Trans>
      </p>
      <ChangedMatrix
        label={t`Subjects of each grade`}
        changes={changed.size}
        onUndo={() => setChanged(new Map())}
        endpoint={gradeSubjectApi.save}
        input={input}
      >
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
                    <td key={grade.id} data-changed={changed.has(key) || undefined}>
                      <select
                        aria-label={t`${subject.name} in ${grade.name}`}
                        className={classNames(styles.cell, taken !== '' && styles.taken)}
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
      </ChangedMatrix>
    </>
  );
}
