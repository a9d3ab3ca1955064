import { Trans, useLingui } from '@lingui/react/macro';
import { StaffPicker } from '#features/staff/ui/StaffPicker.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { TickField } from '#kit/browser/form/choices.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { visitApi, visitKinds } from '../contract/visit.ts';

/** Schedules a visit, also one that begins now. */
export function ScheduleForm({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const navigate = usePageNavigate();
  const offer = useRead(visitApi.offer, {});
  const optionsOf = (rows: readonly { id: number; name: string }[]) =>
    rows.map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <QueryBoundary query={offer}>
      {({ types, sections, day, time }) => (
        <RecordForm
          title={t`Add visit`}
          about={t`Only you see it until you share the report.`}
          endpoint={visitApi.schedule}
          initial={{
            observedId: '',
            typeId: types.length === 1 ? String(types[0]?.id) : '',
            kind: 'Walk-through',
            isAnnounced: false,
            day,
            time,
            sectionId: '',
            topic: '',
          }}
          words={<Trans>Schedule</Trans>}
          saved={null}
          onDone={({ id }) =>
            navigate({
              to: '/school-erp/staff-observation/staff-observation-list/$visitID',
              params: { visitID: String(id) },
            })
          }
          onClose={onClose}
        >
          <StaffPicker name="observedId" required />
          <SelectField name="typeId" options={optionsOf(types)} />
          <SelectField name="kind" options={visitKinds} />
          <DateField name="day" />
          <TextField name="time" width="short" />
          <SelectField name="sectionId" options={optionsOf(sections)} />
          <TextField name="topic" />
          <TickField name="isAnnounced" />
        </RecordForm>
      )}
    </QueryBoundary>
  );
}
