import { TickField } from '#kit/browser/form/choices.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';

/** Below an empty last name: whether the papers carry one name only. */
export function OneName() {
  const { values } = useApiForm();
  return String(values.lastName ?? '').trim() === '' ? <TickField name="hasOneName" /> : null;
}
