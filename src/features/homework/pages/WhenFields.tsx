import { useLingui } from '@lingui/react/macro';
import { RadioField } from '#kit/browser/form/choices.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { SelectField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { hours } from '../contract/homework.ts';

/** When homework is published: now, on a day from an hour on, or later from a draft. */
export function WhenFields({ options }: { options: readonly string[] }) {
  const { t } = useLingui();
  const { values } = useApiForm();
  return (
    <>
      <RadioField name="publish" options={options} />
      {values.publish === 'Later' && (
        <>
          <DateField name="publishOn" toward="future" required />
          <SelectField name="publishHour" options={hours} placeholder={t`Choose an hour`} required />
        </>
      )}
    </>
  );
}
