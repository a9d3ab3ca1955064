import { useLingui } from '@lingui/react/macro';
import { useWorkingYear } from '#features/calendar/ui/use-working-year.ts';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import type { RowOf } from '#kit/browser/list/RecordList.tsx';
import { showDate } from '#kit/contract/day.ts';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { concessionApi, type concessionList, requestFields } from '../contract/concession.ts';

/** Asks for a concession of one student. */
export function RequestConcession({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const year = useWorkingYear();
  return (
    <RecordForm
      // The working year may be read later than the form opens.
      key={year?.id}
      title={t`Ask for a concession`}
      about={t`Where the discount needs approval, a second person decides on it.`}
      endpoint={concessionApi.request}
      initial={{ ...emptyValuesOf(requestFields), academicYearId: year?.id ?? '', effectiveFrom: year?.startsOn ?? '' }}
      words={t`Ask`}
      saved={null}
      onClose={onClose}
    >
      <FieldControls fields={requestFields} />
    </RecordForm>
  );
}

/** Ends a concession with a month, or revokes it. */
export function EndConcession({ row, onClose }: { row: RowOf<typeof concessionList>; onClose: () => void }) {
  const { t } = useLingui();
  const { id, version, student, discount, effectiveFrom } = row;
  const first = showDate(effectiveFrom);
  return (
    <RecordForm
      title={t`End: ${discount}`}
      about={`${student}`}
      endpoint={concessionApi.end}
      initial={{ lastDay: '', reason: '' }}
      hiddenValues={{ id, version }}
      words={t`End`}
      onClose={onClose}
    >
      <DateField name="lastDay" hint={t`Its month still counts. A day before ${first} revokes the whole concession.`} />
      <TextField name="reason" long />
    </RecordForm>
  );
}
