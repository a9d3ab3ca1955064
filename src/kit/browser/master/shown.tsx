import { t } from '@lingui/core/macro';
import { showDate } from '#kit/contract/day.ts';
import { isRealDate } from '#kit/contract/fields.ts';
import type { MasterField } from '#kit/contract/master.ts';
import { translateOption } from '../text.ts';

/** A value for display; '' for none. `name` is the name of the row that the field points to. */
export function shown(field: MasterField | undefined, value: unknown, name = ''): string {
  if (field?.kind === 'ref') return name;
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`;
  if (value === null || value === undefined || value === '') return '';
  if (field?.kind === 'date' && isRealDate(String(value))) return showDate(String(value));
  if (field?.kind === 'someOf') return String(value).split(',').map(translateOption).join(', ');
  return field?.kind === 'oneOf' ? translateOption(String(value)) : String(value);
}
