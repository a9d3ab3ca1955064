import { AppError, problemMessage } from '#kit/contract/errors.ts';
import { takenMessage } from '#kit/contract/field.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { leftWithThis } from '../contract/leaving.ts';
import { hasLeft, isSpellOfDay } from './standing.ts';
import { isKept } from './visible.ts';

export const staffMessages = {
  table: 'staff',
  fields: {},
  constraintMessages: {
    staff_email_key: { field: 'email', message: takenMessage },
    staff_mobile_key: { field: 'mobile', message: takenMessage },
    staff_employee_number_unique: { field: 'employeeNumber', message: takenMessage },
  },
};

/** Names the person who has left and has this contact, so that they are re-joined and not added a second time. */
export async function refuseReturning({ db, user, now }: UserContext, contact: { mobile: string; email: string }) {
  const today = toLocalDate(now());
  const left = await db
    .selectFrom('staff')
    .innerJoin('staff_employment as spell', (join) =>
      join.onRef('spell.staff_id', '=', 'staff.id').on(isSpellOfDay(today)),
    )
    .where((is) => is.or([is('mobile', '=', contact.mobile), is('email', '=', contact.email)]))
    .where(hasLeft(today))
    .where(isKept(user, today))
    .select(['staff.id', 'name', 'mobile', 'employee_number as number', 'spell.last_day'])
    .executeTakeFirst();
  if (!left) return;
  const { id, name, number, last_day } = left;
  const field = left.mobile === contact.mobile ? 'mobile' : 'email';
  const message = leftWithThis({ name, number: number ?? '', lastDay: last_day ?? '' });
  throw new AppError('invalid', problemMessage, { fields: { [field]: message }, data: { left: { id, name } } });
}
