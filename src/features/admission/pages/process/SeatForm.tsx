import { Trans, useLingui } from '@lingui/react/macro';
import { GradesField } from '#features/academic/ui/GradesField.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { emptyValuesOf, pick } from '#kit/contract/field.ts';
import { type SeatRow, seatApi, seatFields, seatPlaceFields } from '../../contract/seat.ts';
import { typedSeat } from './typed-seat.ts';

interface Props {
  row: SeatRow;
  name: string;
  onClose: () => void;
}

/** Everything that a row of the seat plan says. */
export function SeatForm({ row, name, onClose }: Props) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`Seats of ${name}`}
      endpoint={seatApi.update}
      initial={typedSeat(row)}
      hiddenValues={{ id: row.id, version: row.version }}
      onClose={onClose}
    >
      <FieldControls fields={seatFields} />
    </RecordForm>
  );
}

const place = pick(seatPlaceFields, 'branchId', 'programId', 'quota');

/** Rows of one quota for several grades. */
export function AddSeats({ yearId, onClose }: { yearId: number; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`Plan several grades`}
      endpoint={seatApi.createMany}
      initial={{
        ...emptyValuesOf(place),
        ...emptyValuesOf(seatFields),
        quota: 'General',
        interaction: 'None',
        reserved: '0',
        offerDays: '7',
        gradeIds: [],
      }}
      hiddenValues={{ academicYearId: yearId }}
      words={<Trans>Add</Trans>}
      saved={t`Seats planned.`}
      onClose={onClose}
    >
      <FieldControls fields={place} />
      <GradesField />
      <FieldControls fields={seatFields} />
    </RecordForm>
  );
}
