import { Trans, useLingui } from '@lingui/react/macro';
import { useRead } from '#kit/browser/data/read.ts';
import { useApiForm } from '#kit/browser/form/ApiForm.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { normalMobile } from '#kit/contract/fields.ts';
import { addStudentApi, firstGuardianFields, grNoField, newStudentFields, placeFields } from '../contract/add.ts';
import { Seat } from './Seat.tsx';

/** Children of one class are entered one after the other. */
const keeps = ['admittedOn', 'gradeId', 'sectionId', 'branchId', 'programId'];

/** Adds a student with a section and the adult to call first; the rest of the record is entered on its page. */
export function AddStudent({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const navigate = usePageNavigate();
  const open = (id: number) =>
    void navigate({ to: '/school-erp/student/student-list/$studentID', params: { studentID: String(id) } });
  return (
    <RecordForm
      title={t`Add student`}
      endpoint={addStudentApi.create}
      initial={{
        ...emptyValuesOf({ ...newStudentFields, ...placeFields, ...firstGuardianFields, ...grNoField }),
        admittedOn: today(),
        sectionId: null,
        guardianId: null,
      }}
      next={{ keeps, nameFields: ['firstName', 'lastName'] }}
      action={({ id }) => ({ label: t`Open`, act: () => open(id) })}
      onClose={onClose}
    >
      <FieldControls fields={newStudentFields} />
      <Seat />
      <FieldControls fields={firstGuardianFields} instead={{ guardianMobile: <GuardianMobile /> }} />
      <FieldControls fields={grNoField} />
    </RecordForm>
  );
}

/** The number of the adult, with those who are known by it. */
function GuardianMobile() {
  const { values, change } = useApiForm();
  const mobile = normalMobile(String(values.guardianMobile ?? ''));
  const isWhole = /^[0-9]{10}$/.test(mobile);
  if (!isWhole) return <TextField name="guardianMobile" type="tel" inputMode="tel" width="medium" />;
  return (
    <KnownGuardian mobile={mobile} taken={String(values.guardianId ?? '')} take={(id) => change('guardianId', id)} />
  );
}

interface KnownProps {
  mobile: string;
  taken: string;
  take: (id: string | null) => void;
}

function KnownGuardian({ mobile, taken, take }: KnownProps) {
  const { t } = useLingui();
  const { data: adults = [] } = useRead(addStudentApi.known, { mobile });
  const chosen = adults.find(({ id }) => String(id) === taken);
  const wordsOf = ({ name, relation, children, others }: (typeof adults)[number]) => {
    const of = [...children, ...(others > 0 ? [t`${others} more in other branches`] : [])].join(', ');
    return t`${name}, ${relation} of ${of}`;
  };
  const words = chosen && wordsOf(chosen);
  return (
    <TextField
      name="guardianMobile"
      type="tel"
      inputMode="tel"
      width="medium"
      hint={words && <Trans>Chosen: {words}</Trans>}
      offers={
        chosen
          ? [{ label: t`Another adult`, take: () => take(null) }]
          : adults.map((adult) => ({ label: t`Use ${wordsOf(adult)}`, take: () => take(String(adult.id)) }))
      }
    />
  );
}
