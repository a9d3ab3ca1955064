import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import type { Draft } from '#kit/browser/form/draft.ts';
import { TextField } from '#kit/browser/form/fields.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { type Education, educationApi } from '../contract/education.ts';
import type { OpenInquiry } from '../contract/inquiry.ts';
import { formIdentity } from './form-values.ts';
import { Section } from './StepPage.tsx';
import { useFormEnd } from './use-form-end.ts';
import { useRowChanges } from './use-row-changes.ts';

const empty = { fromGrade: '', toGrade: '', boardName: '', schoolName: '', city: '' };
const boards = ['GSEB', 'CBSE', 'ICSE', 'IB', 'Cambridge', 'State'];

interface Props {
  inquiry: OpenInquiry;
  initial: Education[];
  draft: Draft;
}

export function EducationHistory({ inquiry, initial, draft }: Props) {
  const { t } = useLingui();
  const { onRefused } = useFormEnd();
  const { heading, changed, onRefused: onRemoveRefused } = useRowChanges();
  const remove = useAction(educationApi.remove, { onRefused: onRemoveRefused });
  const [rows, setRows] = useState(initial);

  const showRows = ({ data, text }: OutputOf<typeof educationApi.remove>) => {
    setRows(data.lstStudentAdmissionChildEducationHistoryModel);
    changed(text);
  };
  const removeRow = async (id: number) => {
    const answer = await remove.run({ id });
    if (answer) showRows(answer);
  };
  return (
    <Section
      title={<Trans>Child’s education history</Trans>}
      help={<Trans>Add every school your child has attended, starting with the first.</Trans>}
      name={t`Education history`}
    >
      {rows.length === 0 ? (
        <EmptyState
          message={<Trans>No school added yet. If your child has not been to a school, continue below.</Trans>}
        />
      ) : (
        <EducationTable rows={rows} onRemove={removeRow} />
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
        onDone={showRows}
        buttons={(isSending) => (
          <Button type="submit" isBusy={isSending}>
            <Trans>Add</Trans>
          </Button>
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
