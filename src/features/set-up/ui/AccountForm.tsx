import { useLingui } from '@lingui/react/macro';
import { RadioField } from '#kit/browser/form/choices.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { posts, setUpApi } from '../contract/set-up.ts';

/** Adds the first people who sign in, one after the other. */
export function AccountForm({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`Add accounts`}
      about={t`Each person becomes a member of staff and gets an invitation by email, or by SMS without an email address. They sign in with a one-time code.`}
      endpoint={setUpApi.account}
      initial={{ name: '', email: '', mobile: '', post: 'Office' }}
      next={{ keeps: [], nameFields: ['name'] }}
      onClose={onClose}
    >
      <TextField name="name" />
      <TextField name="email" type="email" />
      <TextField name="mobile" inputMode="tel" />
      <RadioField name="post" options={posts} />
    </RecordForm>
  );
}
