import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import type { Values } from '#kit/browser/form/form-context.ts';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { useUndoAdding } from '#kit/browser/record/removal.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { emptyValuesOf, omit, pick } from '#kit/contract/field.ts';
import { text } from '#kit/contract/text.ts';
import { newStaffFields, staffRecordApi } from '../contract/record.ts';
import { Rejoin } from './Rejoin.tsx';

/** People who start on the same day in the same place are entered one after the other. */
const keeps = ['joinedOn', 'designationId', 'departmentId', 'branchId', 'staffCategoryId', 'employmentTypeId'];

/** Adds a member of staff; the rest of the record is entered on its page. */
export function AddStaff({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const navigate = usePageNavigate();
  const undo = useUndoAdding(staffRecordApi.remove);
  const [left, setLeft] = useState<{ id: number; name: string; entered: Values }>();
  if (left) return <Rejoin {...left} onClose={onClose} />;
  return (
    <RecordForm
      title={t`Add staff member`}
      endpoint={staffRecordApi.create}
      initial={emptyValuesOf(newStaffFields)}
      next={{ keeps, nameFields: ['name'] }}
      actions={({ id, version }) => [
        undo({ id, version }),
        {
          label: t`Open`,
          shortcut: 'Enter',
          act: () => void navigate({ to: '/school-erp/staff/view-staff/$userID', params: { userID: String(id) } }),
        },
      ]}
      elsewhere={({ data }, values) => {
        const person = data?.left as { id: number; name: string } | undefined;
        if (!person) return [];
        const label = text`Re-join ${{ name: person.name }}…`;
        const act = () => setLeft({ ...person, entered: pick(values, ...keeps) });
        return [{ text: text`Re-joining keeps their record and history.`, actions: [{ label, act }] }];
      }}
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
