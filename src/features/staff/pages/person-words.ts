import { translate, translateOption } from '#kit/browser/text.ts';
import { showDate } from '#kit/contract/day.ts';
import { fieldInfo, isRealDate } from '#kit/contract/fields.ts';
import { personFields, type StaffPerson } from '../contract/record.ts';

type Name = keyof StaffPerson;

export const personNames = Object.keys(personFields) as Name[];

export function personLabel(name: Name): string {
  const label = fieldInfo.get(personFields[name])?.label;
  return label ? translate(label) : name;
}

/** A value of the person for display; '' for none. */
export function showPersonal(name: Name, value: string): string {
  if (name === 'birthDate') return isRealDate(value) ? showDate(value) : value;
  return name === 'gender' || name === 'maritalStatus' ? translateOption(value) : value;
}
