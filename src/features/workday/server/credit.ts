import { sql } from 'kysely';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type creditApi, creditMessages } from '../contract/credit.ts';
import { staffLeaveMessages } from '../contract/leave.ts';
import { lockPerson } from './cost.ts';
import { findPerson } from './leave.ts';

export const addCredit: Handler<typeof creditApi.add> = async (ctx, { staffId, typeId, kind, halves, reason }) => {
  if (staffId === ctx.user.staffId) throw new AppError('conflict', creditMessages.own);
  if (halves === 0 || halves === null) throw fieldRefusal('halves', creditMessages.none);
  if (kind === 'Encashed' && halves > 0) throw fieldRefusal('halves', creditMessages.paidOut);
  await findPerson(ctx, staffId);
  const today = toLocalDate(ctx.now());
  await lockPerson(ctx, staffId, today);
  const { rows: years } = await sql`select where academic_year_on(${today}::date) is not null`.execute(ctx.db);
  if (years.length === 0) throw new AppError('conflict', creditMessages.noYear);
  const { rows } = await sql<{ id: number }>`
    insert into workday_credit (staff_id, academic_year_id, type_id, kind, halves, reason, entered_by, entered_at)
    select ${staffId}, year.id, type.id, ${kind}, ${halves}, ${reason}, ${ctx.user.staffId}, ${ctx.now()}
    from academic_year year join workday_leave_type type on type.id = ${typeId} and type.is_active
    where year.id = academic_year_on(${today}::date) returning id`.execute(ctx.db);
  if (rows.length === 0) throw fieldRefusal('typeId', staffLeaveMessages.noType);
  const details = { kind: String(kind), halves: String(halves) };
  await audit(ctx, { action: 'workday.credit', entity: 'staff', entityId: staffId, details });
  return {};
};
