import { useLingui } from '@lingui/react/macro';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { emptyValuesOf, omit } from '#kit/contract/field.ts';
import { newStaffFields, staffRecordApi } from '../contract/record.ts';

/** People who start on the same day in the same place are entered one after the other. */
const keeps = ['joinedOn', 'designationId', 'departmentId', 'branchId', 'staffCategoryId', 'employmentTypeId'];

/** Adds a member of staff; the rest of the record is entered on its page. */
export function AddStaff({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const navigate = usePageNavigate();
  return (
    <RecordForm
      title={t`Add staff member`}
      endpoint={staffRecordApi.create}
      initial={emptyValuesOf(newStaffFields)}
      next={{ keeps, nameFields: ['name'] }}
      action={({ id }) => ({
        label: t`Open`,
        act: () => void navigate({ to: '/school-erp/staff/view-staff/$userID', params: { userID: String(id) } }),
      })}
      onClose={onClose}
    >
      <FieldControls
        fields={omit(newStaffFields, 'reportsToId')}
        hints={{
          email: t`A mobile number or an email address is required.`,
          employeeNumber: t`Leave it empty for the next number.`,
        }}
      />
    </RecordForm>
  );
}
