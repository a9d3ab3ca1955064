import { Trans, useLingui } from '@lingui/react/macro';
import { useRead, useReadList } from '#kit/browser/data/read.ts';
import { useApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TickField } from '#kit/browser/form/choices.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { normalMobile } from '#kit/contract/fields.ts';
import { addStudentApi, firstGuardianFields, grNoField, newStudentFields, placeFields } from '../contract/add.ts';
import { Age } from './Age.tsx';
import { useAdultWords } from './adult-words.tsx';
import { Seat } from './Seat.tsx';

/** Children of one class are entered one after the other. */
const keeps = ['siblingId', 'admittedOn', 'gradeId', 'sectionId', 'branchId', 'programId'];

interface Props {
  /** The new student is a brother or sister of this one, and gets the same adults. */
  sibling?: { id: number; name: string; lastName: string };
  onClose: () => void;
}

/** Adds a student with a section and the adult to call first; the rest of the record is entered on its page. */
export function AddStudent({ sibling, onClose }: Props) {
  const { t } = useLingui();
  const navigate = usePageNavigate();
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
        isOtherChild: false,
      }}
      next={{ keeps, nameFields: ['firstName', 'lastName'] }}
      actions={({ id }) => [{ label: t`Open`, act: () => open(id) }]}
      onClose={onClose}
    >
      <FieldControls fields={newStudentFields} after={{ gradeId: <Age /> }} />
      <WasHere open={open} />
      <Seat />
      {sibling ? (
        <p className="soft">
          <Trans>The adults of {sibling.name} are linked, with the same rights.</Trans>
        </p>
      ) : (
        <FieldControls fields={firstGuardianFields} instead={{ guardianMobile: <GuardianMobile /> }} />
      )}
      <FieldControls fields={grNoField} />
    </RecordForm>
  );
}

/** Says that a child of this name and birth date left, and leads to the record to re-admit it. */
function WasHere({ open }: { open: (id: number) => void }) {
  const { values } = useApiForm();
  const [firstName, lastName, birthDate] = ['firstName', 'lastName', 'birthDate'].map((name) =>
    String(values[name] ?? '').trim(),
  ) as [string, string, string];
  const isWhole = firstName !== '' && lastName !== '' && /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(birthDate);
  return isWhole ? <Leaver child={{ firstName, lastName, birthDate }} open={open} /> : null;
}

interface LeaverProps {
  child: { firstName: string; lastName: string; birthDate: string };
  open: (id: number) => void;
}

function Leaver({ child, open }: LeaverProps) {
  const { data } = useRead(addStudentApi.returning, child);
  if (!data?.found) return null;
  const { id, name, grNo, leftOn } = data.found;
  const day = showDate(leftOn);
  return (
    <>
      <Notice>
        <Trans>
          {name}, GR {grNo}, was here before and left on {day}.
        </Trans>{' '}
        <Button kind="link" onClick={() => open(id)}>
          <Trans>Open the record to re-admit</Trans>
        </Button>
      </Notice>
      <TickField name="isOtherChild" />
    </>
  );
}

/** The number of the adult, with those who are known by it. One field throughout: a new one would lose the focus. */
function GuardianMobile() {
  const { t } = useLingui();
  const { values, change } = useApiForm();
  const mobile = normalMobile(String(values.guardianMobile ?? ''));
  const isWhole = /^[0-9]{10}$/.test(mobile);
  const known = useReadList(addStudentApi.known, { mobile }, isWhole);
  const adults = isWhole && !known.isPlaceholderData ? (known.data ?? []) : [];
  const chosen = adults.find(({ id }) => String(id) === String(values.guardianId ?? ''));
  const wordsOf = useAdultWords();
  const words = chosen && wordsOf(chosen);
  const take = (id: number | null) => change('guardianId', id === null ? null : String(id));
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
          : adults.map((adult) => ({ label: t`Use ${wordsOf(adult)}`, take: () => take(adult.id) }))
      }
    />
  );
}
