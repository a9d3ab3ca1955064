import type { ComponentProps } from 'react';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { staffApi } from '../contract/staff.ts';

/** Chooses a member of staff by name; number and department tell people of one name apart. */
export function StaffPicker(props: Omit<ComponentProps<typeof OptionField>, 'options'>) {
  return <OptionField options={staffApi.options} {...props} />;
}
