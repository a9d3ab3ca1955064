import { TickField } from '#kit/browser/form/choices.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';

/** The last name, and below it while it is empty, whether the papers carry one name only. */
export function LastName() {
  const { values } = useApiForm();
  return (
    <>
      <TextField name="lastName" required={values.hasOneName !== true} />
      {String(values.lastName ?? '').trim() === '' && <TickField name="hasOneName" />}
    </>
  );
}
