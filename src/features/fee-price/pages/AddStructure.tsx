import { useLingui } from '@lingui/react/macro';
import { GradesField } from '#features/academic/ui/GradesField.tsx';
import { useWorkingYear } from '#features/calendar/ui/use-working-year.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { structureApi, structureFields } from '../contract/structure.ts';

/** Adds a draft, whose page then asks for the prices. */
export function AddStructure({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const year = useWorkingYear();
  const navigate = usePageNavigate();
  return (
    <RecordForm
      title={t`Add fee structure`}
      about={t`Choose the grades it is for; the prices come next.`}
      endpoint={structureApi.create}
      initial={{
        ...emptyValuesOf(structureFields),
        academicYearId: year?.id ?? null,
        admissionType: 'All students',
        gradeIds: [],
      }}
      saved={null}
      onDone={({ id }) =>
        navigate({
          to: '/school-erp/fee/fee-structure-allocation/$structureID',
          params: { structureID: String(id) },
        })
      }
      onClose={onClose}
    >
      <FieldControls fields={structureFields} />
      <GradesField />
    </RecordForm>
  );
}
