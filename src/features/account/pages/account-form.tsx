import { TickField } from '#kit/browser/form/choices.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { Grants } from '../ui/Grants.tsx';

/** Role, permission sets, their branches, and the username. */
export function Rights() {
  const { values } = useApiForm();
  return (
    <>
      <TickField name="isStaff" />
      {values.isStaff === true && <Grants />}
      <TickField name="isAdmin" />
      <TextField name="userName" autoComplete="off" required={values.isAdmin === true} />
    </>
  );
}
