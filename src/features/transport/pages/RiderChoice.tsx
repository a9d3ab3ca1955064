import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { ChoiceRow } from '#kit/browser/form/choices.tsx';
import { ErrorText } from '#kit/browser/form/question.tsx';
import { Combobox } from '#kit/browser/ui/Combobox.tsx';
import type { Text } from '#kit/contract/text.ts';
import { riderFields } from '../contract/rider.ts';

interface Props {
  id: string;
  values: { studentId: string; staffId: string; name?: string };
  error: Text | undefined;
  onChange: (over: { studentId: string; staffId: string; chosen?: string }) => void;
}

/** A student or a member of staff. */
export function RiderChoice({ id, values, error, onChange }: Props) {
  const { t } = useLingui();
  const [isStaff, setStaff] = useState(values.staffId !== '');
  const [chosen, setChosen] = useState(values.name ? { value: values.studentId, label: values.name } : undefined);
  const field = isStaff ? riderFields.staffId : riderFields.studentId;
  return (
    <>
      <div className="question">
        <ChoiceRow
          type="checkbox"
          id={`${id}.isStaff`}
          label={t`Staff`}
          checked={isStaff}
          onChange={(isTicked) => {
            setStaff(isTicked);
            setChosen(undefined);
            onChange({ studentId: '', staffId: '', chosen: undefined });
          }}
        />
      </div>
      <div className="question">
        <label htmlFor={`${id}.studentId`}>{isStaff ? <Trans>Staff</Trans> : <Trans>Student</Trans>}</label>
        <ErrorText id={`${id}-rider`} error={error} />
        <Combobox
          key={String(isStaff)}
          id={`${id}.studentId`}
          name={`${id}.${isStaff ? 'staffId' : 'studentId'}`}
          options={field.to.options}
          aria-invalid={Boolean(error)}
          aria-describedby={error && `${id}-rider`}
          chosen={chosen}
          onChoose={(choice) => {
            setChosen(choice);
            const [value, chosen] = [choice?.value ?? '', choice?.label];
            onChange(isStaff ? { studentId: '', staffId: value, chosen } : { studentId: value, staffId: '', chosen });
          }}
        />
      </div>
    </>
  );
}
