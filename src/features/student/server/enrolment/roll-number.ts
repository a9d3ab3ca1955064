import { sql } from 'kysely';
import { studentKeepers } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { clampToYear, lockOpenYear, readYear } from '#features/calendar/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { lockTableForWrite } from '#kit/server/master/sql.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readSetting } from '#kit/server/settings.ts';
import type { sectionStudentApi } from '../../contract/section-student.ts';
import { rollRule } from '../settings.ts';
import { type LockedSection, lockSection, lockSections, withPlacementMessages } from './placement.ts';

/** The first sort key of each order; the name comes second. */
const orders: Record<string, ReturnType<typeof sql>> = {
  Name: sql`student.sort_name`,
  'Girls first': sql`student.gender <> 'F'`,
  'Boys first': sql`student.gender <> 'M'`,
  // Numbers sort by value, other GR numbers after them.
  'GR number': sql`lpad(student.gr_no, 20, '0')`,
};

export const note = (
  ctx: UserContext,
  { id, name }: LockedSection,
  what: string,
  details: Record<string, string | number>,
) =>
  audit(ctx, {
    action: `section-student.${what}`,
    entity: 'academic_section',
    entityId: id,
    details: { Section: name, ...details },
  });

export const number: Handler<typeof sectionStudentApi.number> = (ctx, { confirmToken, ...input }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const rolls = await numberOne(ctx, input);
    const shown = rolls.map(({ name, gr_no, roll_no, after, effective_to }) => {
      return { name, grNo: gr_no, before: roll_no, after, until: effective_to ?? '' };
    });
    return { answer: { rolls: shown }, basis: [input, rolls] };
  });

/** The rows of sections with the number that a rule gives each: who is there at the year's end first. */
async function planRolls({ db }: UserContext, sectionIds: readonly number[], rule: string) {
  const rows = await db
    .selectFrom('student_section as own')
    .innerJoin('student', 'student.id', 'own.student_id')
    .where('own.section_id', '=', sql<number>`any (${[...sectionIds]}::integer[])`)
    .select(['own.id', 'own.section_id', 'own.student_id', 'own.roll_no', 'own.effective_to', 'student.gr_no'])
    .select('student.name')
    .orderBy(sql`own.effective_to is not null`)
    .orderBy(orders[rule] ?? 'student.sort_name')
    .orderBy('student.sort_name')
    .orderBy('student.id')
    .orderBy('own.effective_from')
    .execute();
  const numbered = [...Map.groupBy(rows, (row) => row.section_id).values()].flatMap((own) => {
    // A student who was in the section twice has one number.
    const place = new Map([...new Set(own.map(({ student_id }) => student_id))].map((id, index) => [id, index + 1]));
    return own.map((row) => ({ ...row, after: place.get(row.student_id) ?? 0 }));
  });
  return { rolls: numbered, changed: numbered.filter(({ roll_no, after }) => roll_no !== after) };
}

type PlannedRoll = Awaited<ReturnType<typeof planRolls>>['rolls'][number];
const writeRolls = (ctx: UserContext, changed: readonly PlannedRoll[]) =>
  changed.length > 0
    ? giveRolls(
        ctx,
        changed.map(({ id, after }) => ({ id, roll: after })),
      )
    : undefined;

async function numberOne(ctx: UserContext, { id, rule }: { id: number; rule: string }) {
  const section = await lockSection(ctx, id);
  requireUnlocked(section);
  const { rolls, changed } = await planRolls(ctx, [id], rule);
  await writeRolls(ctx, changed);
  if (changed.length > 0) await note(ctx, section, 'numbered', { Order: rule, Changed: changed.length });
  return rolls;
}

/** Numbers every section of a year that is not locked, in one transaction. */
export const numberAll: Handler<typeof sectionStudentApi.numberAll> = (ctx, { confirmToken, ...input }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const { academicYearId } = input;
    const year = await lockOpenYear(ctx, academicYearId);
    const rule = input.rule || (await readSetting(ctx, rollRule));
    const found = await ctx.db
      .selectFrom('academic_section as section')
      .innerJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
      .where('section.academic_year_id', '=', academicYearId)
      .where('section.is_active', '=', true)
      .where(inScope(ctx.user, studentKeepers, { branch: sql`section.branch_id`, section: sql`null::integer` }))
      .select('section.id')
      .orderBy('grade.position')
      .orderBy(sql`lower(section.name)`)
      .orderBy('section.id')
      .execute();
    const all = await lockSections(
      ctx,
      found.map(({ id }) => id),
    );
    const byId = new Map(all.map((section) => [section.id, section]));
    const sections = found.flatMap(({ id }) => byId.get(id) ?? []);
    const [locked, open] = [
      sections.filter((one) => one.is_roll_locked),
      sections.filter((one) => !one.is_roll_locked),
    ];
    const { rolls, changed } = await planRolls(
      ctx,
      open.map(({ id }) => id),
      rule,
    );
    await writeRolls(ctx, changed);
    if (changed.length > 0)
      await audit(ctx, {
        action: 'section-student.numbered-all',
        entity: 'academic_year',
        entityId: academicYearId,
        details: {
          Year: year.name,
          Order: rule,
          Sections: new Set(changed.map(({ section_id }) => section_id)).size,
          Changed: changed.length,
          Locked: locked.map(({ name }) => name).join('; '),
        },
      });
    const countOf = (rows: readonly PlannedRoll[], id: number) =>
      rows.filter(({ section_id }) => section_id === id).length;
    return {
      answer: {
        rule,
        sections: open.map(({ id, name }) => ({
          id,
          name,
          students: countOf(rolls, id),
          changed: countOf(changed, id),
        })),
        locked: locked.map(({ name }) => name),
      },
      basis: [input, rule, locked.map(({ id }) => id), rolls.map(({ id, roll_no, after }) => [id, roll_no, after])],
      isRefused: changed.length === 0,
    };
  });

export function requireUnlocked({ is_roll_locked }: LockedSection) {
  if (is_roll_locked)
    throw new AppError('conflict', text`The roll numbers of this section are locked. Unlock them first.`);
}

/** Sets roll numbers of a locked section in one statement, so that two students can swap theirs. */
export const giveRolls = (ctx: UserContext, rolls: readonly { id: number; roll: number }[]) =>
  withPlacementMessages(ctx, () =>
    sql`update student_section own set roll_no = input.roll
      from jsonb_to_recordset(${JSON.stringify(rolls)}::jsonb) as input (id integer, roll smallint)
      where own.id = input.id`.execute(ctx.db),
  );

/** The roll numbers of a section over the whole year, by first day. */
export const readRolls = ({ db }: UserContext, sectionId: number) =>
  db
    .selectFrom('student_section as own')
    .innerJoin('student', 'student.id', 'own.student_id')
    .where('own.section_id', '=', sectionId)
    .select(['own.id', 'own.enrollment_id', 'own.roll_no', 'own.effective_from', 'own.effective_to', 'student.gr_no'])
    .select('student.name')
    .orderBy('own.effective_from')
    .orderBy('own.id')
    .execute();
export type Roll = Awaited<ReturnType<typeof readRolls>>[number];

export const isThere = ({ effective_from, effective_to }: Roll, on: string) =>
  effective_from <= on && on <= (effective_to ?? lastDay);
const lastDay = '9999-12-31';

const shareDays = (roll: Roll, other: Roll) =>
  roll.effective_from <= (other.effective_to ?? lastDay) && other.effective_from <= (roll.effective_to ?? lastDay);

/** Refuses a number that another student has on some of the row's days. */
export function holderOf(row: Roll, roll: number, others: readonly Roll[]): Text | undefined {
  const holder = others.find((other) => other.id !== row.id && other.roll_no === roll && shareDays(row, other));
  if (!holder) return undefined;
  const { name } = holder;
  const from = holder.effective_from > row.effective_from ? showDate(holder.effective_from) : undefined;
  const until = holder.effective_to === null ? undefined : showDate(holder.effective_to);
  const days = [from, '–', until].filter(Boolean).join(' ');
  return days === '–'
    ? text`${{ name }} has roll number ${{ roll }}. Enter a different one.`
    : text`${{ name }} has roll number ${{ roll }} (${{ days }}). Enter a different one.`;
}

export const setRoll: Handler<typeof sectionStudentApi.setRoll> = async (
  ctx,
  { id, enrollmentId, rollNo, ...filter },
) => {
  const section = await lockSection(ctx, id);
  requireUnlocked(section);
  const on = clampToYear(ctx, await readYear(ctx, section.academic_year_id), filter.on);
  const rolls = await readRolls(ctx, id);
  const row = rolls.find((roll) => roll.enrollment_id === enrollmentId && isThere(roll, on));
  if (!row)
    throw new AppError(
      'conflict',
      text`This student is not in the section on ${{ day: showDate(on) }}. Check the list and try again.`,
    );
  if (rollNo === null || row.roll_no === rollNo) return {};
  const held = holderOf(row, rollNo, rolls);
  if (held) throw fieldRefusal('rollNo', held);
  await giveRolls(ctx, [{ id: row.id, roll: rollNo }]);
  await note(ctx, section, 'numbered', { Student: row.name, 'Roll number': `${row.roll_no ?? '–'} → ${rollNo}` });
  return {};
};

export const lock: Handler<typeof sectionStudentApi.lock> = async (ctx, { id, isLocked }) => {
  await lockTableForWrite(ctx.db, 'academic_section');
  const section = await lockSection(ctx, id);
  if (section.is_roll_locked === isLocked) return {};
  await withPlacementMessages(ctx, () =>
    ctx.db.updateTable('academic_section').set({ is_roll_locked: isLocked }).where('id', '=', id).execute(),
  );
  await note(ctx, section, isLocked ? 'roll-locked' : 'roll-unlocked', {});
  return {};
};
