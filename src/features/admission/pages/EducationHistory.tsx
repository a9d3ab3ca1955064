import { Trans, useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { ApiForm } from '#kit/browser/ApiForm.tsx';
import { ConfirmButton } from '#kit/browser/ConfirmButton.tsx';
import { call } from '#kit/browser/call.ts';
import { TextField } from '#kit/browser/fields.tsx';
import { said } from '#kit/browser/text.ts';
import { useToast } from '#kit/browser/toast.tsx';
import { AppError, unexpectedMessage } from '#kit/contract/errors.ts';
import { type Education, educationApi } from '../contract/education.ts';
import type { OpenInquiry } from '../contract/inquiry.ts';
import { formIdentity } from './form-values.ts';
import { Section } from './StepPage.tsx';

interface Props {
  inquiry: OpenInquiry;
  initial: Education[];
  onRefused: (refused: AppError) => void;
}

const empty = { fromGrade: '', toGrade: '', boardName: '', schoolName: '', city: '' };
const boards = ['GSEB', 'CBSE', 'ICSE', 'IB', 'Cambridge', 'State'];

/** The schools a child has been to. A row is saved when it is added and gone when it is removed, apart from the page. */
export function EducationHistory({ inquiry, initial, onRefused }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const [rows, setRows] = useState(initial);
  const heading = useRef<HTMLHeadingElement>(null);

  const remove = async (row: Education) => {
    try {
      const answer = await call(
        educationApi.remove,
        { id: row.studentAdmissionChildEducationHistoryID },
        { key: crypto.randomUUID() },
      );
      setRows(answer.data.lstStudentAdmissionChildEducationHistoryModel);
      toast({ kind: 'success', title: said(answer.message) });
      heading.current?.focus();
    } catch (error) {
      const refused = error instanceof AppError ? error : new AppError('unexpected', unexpectedMessage);
      onRefused(refused);
      toast({ kind: 'warning', title: said(refused.message) });
    }
  };
  return (
    <Section
      title={<Trans>Child’s education history</Trans>}
      help={<Trans>Every school so far, the first one first.</Trans>}
      name={t`Education history`}
    >
      {rows.length === 0 ? (
        <p className="empty">
          <Trans>No school added yet. If your child has not been to one, go on below.</Trans>
        </p>
      ) : (
        <EducationTable rows={rows} onRemove={(row) => void remove(row)} />
      )}
      <h3 tabIndex={-1} ref={heading}>
        <Trans>Add a school</Trans>
      </h3>
      <ApiForm
        endpoint={educationApi.add}
        label={t`Add a school`}
        initial={empty}
        known={formIdentity(inquiry, null)}
        startsAnew
        onRefused={onRefused}
        onDone={(answer) => {
          setRows(answer.data.lstStudentAdmissionChildEducationHistoryModel);
          toast({ kind: 'success', title: said(answer.message) });
          heading.current?.focus();
        }}
        buttons={(isSending) => (
          <button type="submit" className="button" aria-disabled={isSending}>
            <Trans>Add</Trans>
          </button>
        )}
      >
        <div className="side-by-side">
          <TextField name="fromGrade" />
          <TextField name="toGrade" />
        </div>
        <TextField name="boardName" suggestions={boards} width="medium" />
        <TextField name="schoolName" />
        <TextField name="city" width="medium" />
      </ApiForm>
    </Section>
  );
}

function EducationTable({ rows, onRemove }: { rows: Education[]; onRemove: (row: Education) => void }) {
  const { t } = useLingui();
  const heads = [t`From Grade`, t`To Grade`, t`Board`, t`School`, t`City`];
  return (
    <table className="cards">
      <caption className="only-read">
        <Trans>Schools added</Trans>
      </caption>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
          <th scope="col">
            <span className="only-read">
              <Trans>Actions</Trans>
            </span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const cells = [row.fromGrade, row.toGrade, row.boardName, row.schoolName, row.city];
          const name = t`Remove ${row.fromGrade} to ${row.toGrade}, ${row.schoolName}`;
          return (
            <tr key={row.studentAdmissionChildEducationHistoryID}>
              {cells.map((cell, index) => (
                <td key={heads[index]} data-head={heads[index]}>
                  {cell}
                </td>
              ))}
              <td>
                <ConfirmButton
                  name={name}
                  label={<Trans>Remove</Trans>}
                  question={<Trans>Remove {row.schoolName} from the list?</Trans>}
                  confirm={<Trans>Remove</Trans>}
                  onConfirm={() => onRemove(row)}
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
