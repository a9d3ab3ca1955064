import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { useRead, useReadList } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { Unsaved } from '#kit/browser/ui/unsaved.tsx';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { isRequired } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';
import { sectionStudentApi } from '../contract/section-student.ts';
import { ConfirmMove, type MoveAnswer, useMove } from './ConfirmMove.tsx';
import type { GradeOfYear } from './grade-of-year.ts';

interface Props {
  at: GradeOfYear;
  from: string;
  enrollmentIds: number[];
  onDone: (answer: MoveAnswer) => void;
  onClose: () => void;
}

/** Moves students to another grade during the year, after a confirmation. */
export function ChangeGrade({ at, from, enrollmentIds, onDone, onClose }: Props) {
  const { t } = useLingui();
  const move = useMove();
  const [isSent, setSent] = useState(false);
  const hiddenValues = { academicYearId: at.academicYearId, enrollmentIds };
  const count = enrollmentIds.length;
  return (
    <SideDialog title={t`Move to another grade`} onClose={onClose}>
      {(close) => {
        const end = (answer: MoveAnswer) => {
          close();
          onDone(answer);
        };
        return (
          <>
            <p className="soft">
              <Plural value={count} one="# student selected" other="# students selected" />
              <br />
              <Trans>Earlier records don’t change.</Trans>
            </p>
            <ApiForm
              endpoint={sectionStudentApi.move}
              label={t`Move to another grade`}
              initial={{ sectionId: '', from, reason: '' }}
              hiddenValues={hiddenValues}
              validate={({ sectionId }): FieldErrors => (sectionId ? {} : { sectionId: isRequired(text`Section`) })}
              onDone={(answer, input) => {
                setSent(true);
                move.take(input, answer);
              }}
              buttons={(isSending) => (
                <FormButtons isSending={isSending} close={close} words={<Trans>Continue</Trans>} />
              )}
            >
              <DateField name="from" />
              <GradeAndSection at={at} />
              <TextField name="reason" />
            </ApiForm>
            {/* The sent form stays unsaved until the move is confirmed. */}
            {isSent && <Unsaved />}
            <ConfirmMove move={move} onMoved={end} />
          </>
        );
      }}
    </SideDialog>
  );
}

/** Another grade, and its sections with a free seat on the day. */
function GradeAndSection({ at }: { at: GradeOfYear }) {
  const { t } = useLingui();
  const id = useId();
  const { values, change } = useApiForm();
  const { data: all = [] } = useRead(gradeMaster.api.options, {});
  const [gradeId, setGrade] = useState<number>();
  const grades = all.filter((grade) => grade.isActive && grade.id !== at.gradeId);
  return (
    <>
      <div className="question">
        <label htmlFor={id}>
          <Trans>Grade</Trans>
        </label>
        <select
          id={id}
          className="box"
          value={gradeId ?? ''}
          onChange={(event) => {
            setGrade(Number(event.currentTarget.value) || undefined);
            change('sectionId', '');
          }}
        >
          <option value="">{t`Choose`}</option>
          {grades.map((grade) => (
            <option key={grade.id} value={grade.id}>
              {grade.name}
            </option>
          ))}
        </select>
      </div>
      {gradeId === undefined ? (
        <SelectField name="sectionId" options={[]} disabled placeholder={t`Choose a grade first`} required />
      ) : (
        <Sections key={gradeId} at={{ ...at, gradeId }} on={String(values.from)} />
      )}
    </>
  );
}

function Sections({ at, on }: { at: GradeOfYear; on: string }) {
  const { t } = useLingui();
  const { data } = useReadList(sectionStudentApi.overview, { ...at, on });
  const open = data?.sections.filter(({ strength, capacity }) => strength < capacity) ?? [];
  const options = open.map(({ id, name, program, strength, capacity }) => {
    const free = capacity - strength;
    return { value: String(id), label: t`${name} (${program}), free seats: ${free}` };
  });
  const hint = data && open.length === 0 && <Trans>No section in this grade has a free seat on this day.</Trans>;
  return <SelectField name="sectionId" options={options} hint={hint} required />;
}
