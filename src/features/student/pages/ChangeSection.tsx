import { Trans, useLingui } from '@lingui/react/macro';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { Unsaved } from '#kit/browser/ui/unsaved.tsx';
import { showDate } from '#kit/contract/day.ts';
import { addStudentApi } from '../contract/add.ts';
import type { StudentHead } from '../contract/record.ts';
import { studentSectionApi } from '../contract/student-section.ts';
import { TextLines } from './TextLines.tsx';

/** Moves a student to another section of the grade from a day, after a preview. */
export function ChangeSection({
  head: { id, name, section, gradeId },
  onClose,
}: {
  head: StudentHead;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(studentSectionApi.move);
  const seats = useRead(addStudentApi.seats, { gradeId: String(gradeId ?? 0), on: '' });
  const { to = '', also = [], blocks = [] } = preview.shown?.answer ?? {};
  const day = preview.shown && showDate(String(preview.shown.input.from));
  const title = section ? t`Change the section of ${name}` : t`Assign a section to ${name}`;
  return (
    <SideDialog
      title={title}
      about={section ? t`Now in ${section}.` : t`You will see what changes first.`}
      onClose={onClose}
    >
      {(close) => (
        <>
          <ApiForm
            endpoint={studentSectionApi.move}
            label={title}
            initial={{ sectionId: '', from: today(), reason: '' }}
            hiddenValues={{ id }}
            onDone={(answer, input) => preview.take(input, answer)}
            buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />}
          >
            <SelectField
              name="sectionId"
              options={(seats.data ?? [])
                .filter((one) => one.name !== section)
                .map((one) => ({
                  value: String(one.id),
                  label: t`${one.name}, ${one.branch}: ${one.strength} of ${one.capacity} seats taken`,
                }))}
            />
            <DateField name="from" />
            <TextField name="reason" />
          </ApiForm>
          {preview.shown && <Unsaved />}
          <PreviewDialog
            preview={preview}
            title={blocks.length > 0 ? t`Can’t move to ${to} yet` : t`${name} moves to ${to}`}
            details={<TextLines lines={blocks.length > 0 ? blocks : also} />}
            confirm={<Trans>Move</Trans>}
            onApplied={() => {
              close();
              toast({ kind: 'success', title: t`${name} is in ${to} now.` });
            }}
          >
            {blocks.length > 0 ? (
              <Trans>Fix this first:</Trans>
            ) : (
              <Trans>From {day}. Earlier records don’t change. The roll number of the old section is free again.</Trans>
            )}
          </PreviewDialog>
        </>
      )}
    </SideDialog>
  );
}
