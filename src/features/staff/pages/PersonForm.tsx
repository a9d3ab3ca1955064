import { useLingui } from '@lingui/react/macro';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import type { Values } from '#kit/browser/form/form-context.ts';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { omit } from '#kit/contract/field.ts';
import { personFields, type StaffRecord, staffRecordApi } from '../contract/record.ts';

/** Edits a person. */
export function PersonForm({ record, onClose }: { record: StaffRecord; onClose: () => void }) {
  const { t } = useLingui();
  const { id, version, isOwn, person, card } = record;
  const { name } = card;
  // One's own addresses are changed on the page itself, with a code.
  const own = (of: Values) => (isOwn ? { email: of.email, mobile: of.mobile } : {});
  return (
    <RecordForm
      title={t`Edit ${name}`}
      endpoint={staffRecordApi.update}
      initial={{ ...person }}
      hiddenValues={{ id, version, ...own({ ...person }) }}
      fields={personFields}
      hiddenOf={own}
      onClose={onClose}
    >
      <FieldControls fields={isOwn ? omit(personFields, 'mobile', 'email') : personFields} />
    </RecordForm>
  );
}
