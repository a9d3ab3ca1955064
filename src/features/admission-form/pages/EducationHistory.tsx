import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { call } from '#kit/browser/data/call.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import type { Draft } from '#kit/browser/form/draft.ts';
import { TextField } from '#kit/browser/form/fields.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { type Education, educationApi } from '../contract/education.ts';
import type { OpenInquiry } from '../contract/inquiry.ts';
import { formIdentity } from './form-values.ts';
import { Section } from './StepPage.tsx';
import { useFormEnd } from './use-form-end.ts';
import { useRowChanges } from './use-row-changes.ts';

const empty = { fromGrade: '', toGrade: '', boardName: '', schoolName: '', city: '' };
const boards = ['GSEB', 'CBSE', 'ICSE', 'IB', 'Cambridge', 'State'];

/** The schools a child has been to. A row is saved when it is added and gone when it is removed, apart from the page. */
interface Props {
  inquiry: OpenInquiry;
  initial: Education[];
  draft: Draft;
}

export function EducationHistory({ inquiry, initial, draft }: Props) {
  const { t } = useLingui();
  const { onRefused } = useFormEnd();
  const { heading, changed, remove } = useRowChanges();
  const [rows, setRows] = useState(initial);

  const removeRow = (id: number) =>
    remove(async () => {
      const answer = await call(educationApi.remove, { id }, { key: crypto.randomUUID() });
      setRows(answer.data.lstStudentAdmissionChildEducationHistoryModel);
      return answer;
    });
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
        <EducationTable rows={rows} onRemove={(id) => void removeRow(id)} />
      )}
      <h3 tabIndex={-1} ref={heading}>
        <Trans>Add a school</Trans>
      </h3>
      <ApiForm
        endpoint={educationApi.add}
        label={t`Add a school`}
        initial={empty}
        hiddenValues={formIdentity(inquiry, null)}
        draft={draft}
        resetsAfterSend
        onRefused={onRefused}
        onDone={(answer) => {
          setRows(answer.data.lstStudentAdmissionChildEducationHistoryModel);
          changed(answer.message);
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

function EducationTable({ rows, onRemove }: { rows: Education[]; onRemove: (id: number) => void }) {
  const { t } = useLingui();
  return (
    <CardTable
      caption={<Trans>Schools added</Trans>}
      heads={[t`From Grade`, t`To Grade`, t`Board`, t`School`, t`City`]}
      rows={rows.map(
        ({ studentAdmissionChildEducationHistoryID: id, fromGrade, toGrade, boardName, schoolName, city }) => ({
          key: id,
          cells: [fromGrade, toGrade, boardName, schoolName, city],
          actions: (
            <ConfirmButton
              name={t`Remove ${fromGrade} to ${toGrade}, ${schoolName}`}
              label={<Trans>Remove</Trans>}
              question={<Trans>Remove {schoolName} from the list?</Trans>}
              confirm={<Trans>Remove</Trans>}
              onConfirm={() => onRemove(id)}
            />
          ),
        }),
      )}
    />
  );
}
