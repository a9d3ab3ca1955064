import { Trans, useLingui } from '@lingui/react/macro';
import { LastName } from '#features/school/ui/LastName.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { addStudentApi, firstGuardianFields, grNoField, newStudentFields, placeFields } from '../contract/add.ts';
import { Age } from './Age.tsx';
import { AlikeStudents } from './AlikeStudents.tsx';
import { FirstGuardian } from './FirstGuardian.tsx';
import { Seat } from './Seat.tsx';
import { useUndoAdding } from './use-undo-adding.tsx';

/** Children of one class are entered one after the other. */
const keeps = ['admittedOn', 'gradeId', 'sectionId', 'branchId', 'programId'];

interface Props {
  /** The new student is a brother or sister of this one, and gets the same adults. */
  sibling?: { id: number; name: string; lastName: string };
  onClose: () => void;
}

/** Adds a student with a section and the adult to call first; the rest of the record is entered on its page. */
export function AddStudent({ sibling, onClose }: Props) {
  const { t } = useLingui();
  const navigate = usePageNavigate();
  const undo = useUndoAdding();
  const open = (id: number) =>
    void navigate({ to: '/school-erp/student/student-list/$studentID', params: { studentID: String(id) } });
  return (
    <RecordForm
      title={sibling ? t`Add brother or sister of ${sibling.name}` : t`Add student`}
      endpoint={addStudentApi.create}
      initial={{
        ...emptyValuesOf({ ...newStudentFields, ...placeFields, ...firstGuardianFields, ...grNoField }),
        admittedOn: today(),
        sectionId: null,
        guardianId: null,
        siblingId: sibling?.id ?? null,
        ...(sibling && { lastName: sibling.lastName }),
        hasOneName: false,
        isNewAdult: false,
        isOtherChild: false,
        seenIds: [],
      }}
      next={{ keeps: sibling ? ['siblingId', ...keeps] : keeps, nameFields: ['firstName', 'lastName'] }}
      actions={({ id }) => [
        { label: t`Undo`, shortcut: 'Control+Z', act: () => void undo(id) },
        { label: t`Open`, shortcut: 'Enter', act: () => open(id) },
      ]}
      onClose={onClose}
    >
      <FieldControls
        fields={newStudentFields}
        instead={{ lastName: <LastName /> }}
        after={{ birthDate: <AlikeStudents open={open} />, gradeId: <Age /> }}
      />
      <Seat />
      {sibling ? (
        <p className="soft">
          <Trans>The adults of {sibling.name} are linked, with the same rights.</Trans>
        </p>
      ) : (
        <FirstGuardian />
      )}
      <FieldControls fields={grNoField} />
    </RecordForm>
  );
}
