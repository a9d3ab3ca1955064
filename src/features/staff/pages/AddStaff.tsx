import { useLingui } from '@lingui/react/macro';
import { employmentTypeMaster, staffCategoryMaster } from '#features/hris/contract/masters.ts';
import { branchMaster, departmentMaster, designationMaster } from '#features/school/contract/masters.ts';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { AddDialog } from '#kit/browser/list/AddDialog.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { genders, newStaffFields, staffRecordApi } from '../contract/record.ts';

/** People who start on the same day in the same place are entered one after the other. */
const keeps = ['joinedOn', 'designationId', 'departmentId', 'branchId', 'staffCategoryId', 'employmentTypeId'];

/** Adds a member of staff; the rest of the record is entered on its page. */
export function AddStaff({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const navigate = usePageNavigate();
  return (
    <AddDialog
      title={t`Add staff member`}
      endpoint={staffRecordApi.create}
      initial={Object.fromEntries(Object.keys(newStaffFields).map((name) => [name, '']))}
      keeps={keeps}
      nameFields={['name']}
      onOpen={({ id }) => void navigate({ to: '/school-erp/staff/view-staff/$userID', params: { userID: String(id) } })}
      onClose={onClose}
    >
      <TextField name="name" />
      <TextField name="mobile" type="tel" inputMode="numeric" width="medium" />
      <TextField name="email" type="email" hint={t`A mobile number or an email address is required.`} />
      <SelectField name="gender" options={genders} />
      <DateField name="joinedOn" />
      <OptionField name="designationId" options={designationMaster.api.options} />
      <OptionField name="departmentId" options={departmentMaster.api.options} />
      <OptionField name="branchId" options={branchMaster.api.options} />
      <OptionField name="staffCategoryId" options={staffCategoryMaster.api.options} />
      <OptionField name="employmentTypeId" options={employmentTypeMaster.api.options} />
      <TextField name="employeeNumber" width="medium" hint={t`Leave it empty for the next number.`} />
    </AddDialog>
  );
}
