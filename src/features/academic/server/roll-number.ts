import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { audit } from '#kit/server/audit.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/routes.ts';
import type { sectionStudentApi } from '../contract/section-student.ts';
import { byName, type HeldSection, holdSection, refusingPlaces, studentName } from './placing.ts';

/** What comes first in each order; those alike follow by name. */
const orders: Record<string, ReturnType<typeof sql>> = {
  Name: byName,
  'Girls first': sql`student.gender <> 'F'`,
  'Boys first': sql`student.gender <> 'M'`,
  // Numbers by what they count to, and what is no number behind them.
  'GR number': sql`lpad(student.gr_no, 20, '0')`,
};

const lockedMessage = 'The roll numbers of this section are locked. Unlock them first.';

const note = (ctx: UserContext, { id, name }: HeldSection, what: string, details: Record<string, string | number>) =>
  audit(ctx, {
    action: `section-student.${what}`,
    entity: 'academic_section',
    entityId: id,
    details: { Section: name, ...details },
  });

/** Everybody who is in the section to the end of the year gets a number, from 1 on. */
export const number: Handler<typeof sectionStudentApi.number> = async (ctx, { id, rule, isTrial }) => {
  const section = await holdSection(ctx, id);
  const rows = await ctx.db
    .selectFrom('student_section as own')
    .innerJoin('student', 'student.id', 'own.student_id')
    .where('own.section_id', '=', id)
    .where('own.effective_to', 'is', null)
    .select(['own.id', 'own.roll_no', 'student.gr_no', studentName.as('name')])
    .orderBy(orders[rule] ?? byName)
    .orderBy(byName)
    .execute();
  const rolls = rows.map((row, index) => ({ ...row, after: index + 1 }));
  const shown = {
    rolls: rolls.map(({ name, gr_no, roll_no, after }) => ({ name, grNo: gr_no, before: roll_no, after })),
  };
  if (isTrial) return shown;
  if (section.is_roll_locked) throw new AppError('conflict', lockedMessage);
  const changed = rolls.filter(({ roll_no, after }) => roll_no !== after).map(({ id, after }) => ({ id, after }));
  if (changed.length === 0) return shown;
  await refusingPlaces(ctx, () =>
    sql`update student_section own set roll_no = given.after
      from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as given (id integer, after smallint)
      where own.id = given.id`.execute(ctx.db),
  );
  await note(ctx, section, 'numbered', { Order: rule, Changed: changed.length });
  return shown;
};

export const setRoll: Handler<typeof sectionStudentApi.setRoll> = async (ctx, { id, enrollmentId, rollNo }) => {
  const section = await holdSection(ctx, id);
  if (section.is_roll_locked) throw new AppError('conflict', lockedMessage);
  const row = await ctx.db
    .selectFrom('student_section as own')
    .innerJoin('student', 'student.id', 'own.student_id')
    .where('own.section_id', '=', id)
    .where('own.enrollment_id', '=', enrollmentId)
    .where('own.effective_to', 'is', null)
    .select(['own.id', 'own.roll_no', studentName.as('name')])
    .executeTakeFirst();
  if (!row) throw new AppError('conflict', 'This student is not in the section any more. Look again.');
  if (row.roll_no === rollNo) return {};
  await refusingPlaces(ctx, () =>
    ctx.db.updateTable('student_section').set({ roll_no: rollNo }).where('id', '=', row.id).execute(),
  );
  await note(ctx, section, 'numbered', { Student: row.name, 'Roll number': `${row.roll_no ?? '–'} → ${rollNo}` });
  return {};
};

export const lock: Handler<typeof sectionStudentApi.lock> = async (ctx, { id, isLocked }) => {
  const section = await holdSection(ctx, id);
  if (section.is_roll_locked === isLocked) return {};
  await refusingPlaces(ctx, () =>
    ctx.db.updateTable('academic_section').set({ is_roll_locked: isLocked }).where('id', '=', id).execute(),
  );
  await note(ctx, section, isLocked ? 'roll-locked' : 'roll-unlocked', {});
  return {};
};
