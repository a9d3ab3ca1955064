import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import type { Draft } from '#kit/browser/form/draft.ts';
import { focusOn } from '#kit/browser/form/ErrorSummary.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
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

/** What can be done with a school that is typed and not added. */
export interface TypedSchool {
  add: () => void;
  clear: () => void;
}

interface Props {
  inquiry: OpenInquiry;
  initial: Education[];
  draft: Draft;
  /** The school's words about the fields. */
  notes: Record<string, string>;
  /** Told when a school is typed, and when it is added or cleared. */
  onTyped: (school: TypedSchool | undefined) => void;
}

export function EducationHistory({ inquiry, initial, draft, notes, onTyped }: Props) {
  const { t } = useLingui();
  const { onRefused } = useFormEnd();
  const { heading, changed, onRefused: onRemoveRefused } = useRowChanges();
  const remove = useAction(educationApi.remove, { onRefused: onRemoveRefused });
  const [rows, setRows] = useState(initial);
  const [isOpen, setOpen] = useState(
    Object.values(draft.answers ?? {}).some(Boolean) || Object.keys(empty).some((name) => notes[name] !== undefined),
  );

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
      name={msg`Education history`}
    >
      {rows.length === 0 ? (
        <EmptyState
          message={<Trans>No school added yet. If your child has not been to a school, continue below.</Trans>}
        />
      ) : (
        <EducationTable rows={rows} onRemove={removeRow} />
      )}
      <h3 tabIndex={-1} ref={heading}>
        {isOpen ? (
          <Trans>Add a school</Trans>
        ) : (
          <Button
            onClick={() => {
              setOpen(true);
              requestAnimationFrame(() => focusOn('fromGrade'));
            }}
          >
            <Trans>Add a school</Trans>
          </Button>
        )}
      </h3>
      {/* What was typed stays, also while the boxes are out of sight. */}
      <div hidden={!isOpen}>
        <ApiForm
          endpoint={educationApi.add}
          label={t`Add a school`}
          initial={empty}
          hiddenValues={formIdentity(inquiry, null)}
          notes={notes}
          draft={draft}
          isShort
          resetsAfterSend
          onRefused={onRefused}
          onDone={(answer) => {
            showRows(answer);
            setOpen(false);
          }}
          buttons={(isSending) => <AddButton isBusy={isSending} onTyped={onTyped} />}
        >
          <div className="side-by-side">
            <TextField name="fromGrade" />
            <TextField name="toGrade" />
          </div>
          <TextField name="boardName" suggestions={boards} width="medium" />
          <TextField name="schoolName" />
          <TextField name="city" width="medium" />
        </ApiForm>
      </div>
    </Section>
  );
}

/** The button that adds the school, which also tells whether there is one to add. */
function AddButton({ isBusy, onTyped }: { isBusy: boolean } & Pick<Props, 'onTyped'>) {
  const { values, change } = useApiForm();
  const button = useRef<HTMLButtonElement>(null);
  const isTyped = Object.values(values).some(Boolean);
  useEffect(() => {
    if (!isTyped) return onTyped(undefined);
    onTyped({
      add: () => button.current?.click(),
      clear: () => {
        for (const name of Object.keys(empty)) change(name, '');
        focusOn('fromGrade');
      },
    });
    return () => onTyped(undefined);
  }, [isTyped, change, onTyped]);
  return (
    <Button type="submit" ref={button} isBusy={isBusy}>
      <Trans>Add</Trans>
    </Button>
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
