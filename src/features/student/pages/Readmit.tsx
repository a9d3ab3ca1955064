import { Trans, useLingui } from '@lingui/react/macro';
import { useRead } from '#kit/browser/data/read.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { backToTitle } from '#kit/browser/ui/PageHead.tsx';
import { addDays } from '#kit/browser/ui/read-date.ts';
import { today } from '#kit/browser/ui/show.ts';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { placeFields } from '../contract/add.ts';
import { admissionTypeField, leavingApi, returnFields } from '../contract/leaving.ts';
import { type StudentHead, studentRecordApi } from '../contract/record.ts';
import { Age } from './Age.tsx';
import { Seat } from './Seat.tsx';

interface Props {
  head: StudentHead;
  lastDay: string;
  onClose: () => void;
}

/** Enrols a student who left: the record and the GR number stay. */
export function Readmit({ head: { id, name }, lastDay, onClose }: Props) {
  const { t } = useLingui();
  const personal = useRead(studentRecordApi.personal, { id });
  return (
    <RecordForm
      title={t`Re-admit ${name}`}
      about={t`The record and the GR number are kept.`}
      endpoint={leavingApi.readmit}
      initial={{
        ...emptyValuesOf({ ...returnFields, ...placeFields, ...admissionTypeField }),
        // Who misses no day has not left: that leaving is undone.
        joinedOn: [today(), addDays(lastDay, 2)].sort().at(-1),
        sectionId: null,
      }}
      hiddenValues={{ id }}
      words={<Trans>Re-admit</Trans>}
      saved={t`${name} is enrolled again.`}
      onDone={backToTitle}
      onClose={onClose}
    >
      <FieldControls
        fields={returnFields}
        after={{ gradeId: personal.data && <Age birthDate={personal.data.saved.birthDate} /> }}
      />
      <Seat dayField="joinedOn" />
      <FieldControls fields={admissionTypeField} />
    </RecordForm>
  );
}
