import { translateOption } from '#kit/browser/text.ts';
import { showDate } from '#kit/contract/day.ts';
import { isRealDate } from '#kit/contract/fields.ts';
import type { StaffPerson } from '../contract/record.ts';

type Name = keyof StaffPerson;

/** A value of the person for display; '' for none. */
export function showPersonal(name: Name, value: string): string {
  if (name === 'birthDate') return isRealDate(value) ? showDate(value) : value;
  return name === 'gender' || name === 'maritalStatus' ? translateOption(value) : value;
}
