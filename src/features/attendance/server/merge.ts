import { sql } from 'kysely';
import { type Merge, type MergeCollision, mergeHook } from '#features/student/contract/hooks.ts';
import { showDate } from '#kit/contract/day.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { ActingContext, Merging } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';

/** What hangs on a student's record in this feature. */
export const attendanceMerges: readonly Merging[] = [
  { table: 'attendance_mark', words: text`Marks of attendance`, how: 'moves' },
  { table: 'attendance_gate', words: text`Entries at the gate`, how: 'moves' },
  { table: 'attendance_exit', words: text`Gate passes`, how: 'moves' },
  { table: 'attendance_leave', words: text`Leave`, how: 'moves' },
  { table: 'attendance_call', words: text`Calls about absence`, how: 'moves' },
  { table: 'attendance_correction', words: text`Corrections of attendance`, how: 'remains' },
  { table: 'attendance_alert', words: text`Alerts of absence`, how: 'remains' },
  { table: 'attendance_message', words: text`Messages about absence`, how: 'remains' },
];

interface Mark {
  registerId: number;
  day: string;
  half: number;
  codeId: number;
  code: string;
  value: number;
  otherCodeId: number;
  otherCode: string;
  otherValue: number;
  otherArrivedAt: string | null;
  arrivedAt: string | null;
  isClosed: boolean;
}

/** The registers of both records, then their marks. */
async function lockMarks({ db }: ActingContext, { keptId, retiredId }: Merge) {
  await sql`select id from attendance_register where id in (
    select register_id from attendance_mark where student_id in (${keptId}, ${retiredId})) order by id for update`.execute(
    db,
  );
  await sql`select from attendance_mark where student_id in (${keptId}, ${retiredId})
    order by register_id, student_id for update`.execute(db);
}

/** The half days that both records have. */
async function readBoth({ db }: ActingContext, { keptId, retiredId }: Merge): Promise<Mark[]> {
  const { rows } = await sql<Mark>`
    select kept.register_id as "registerId", kept.day::text, kept.half, kept.code_id as "codeId", code.code, code.value,
      other.code_id as "otherCodeId", also.code as "otherCode", also.value as "otherValue",
      kept.arrived_at::text as "arrivedAt", other.arrived_at::text as "otherArrivedAt", year.status = 'Closed' as "isClosed"
    from attendance_mark kept
    join attendance_mark other on other.academic_year_id = kept.academic_year_id and other.student_id = ${retiredId}
      and other.day = kept.day and other.half = kept.half
    join attendance_code code on code.id = kept.code_id
    join attendance_code also on also.id = other.code_id
    join academic_year year on year.id = kept.academic_year_id
    where kept.student_id = ${keptId} order by kept.day, kept.half`.execute(db);
  return rows;
}

/**
 * Marks of half days that only the other record has go to the kept one. Of two different marks one is chosen; it is written to
 * the kept mark as a correction, and the other remains on the merged record, where it is not counted.
 */
export const mergeMarks = answer(mergeHook, { by: 'attendance', step: 7, lock: lockMarks }, async (ctx, merge) => {
  const { keptId, retiredId, retiredGrNo, choices } = merge;
  const { db } = ctx;
  const count = async (id: number) => {
    const { rows } = await sql<{ days: number }>`
      select count(distinct day)::integer as days from attendance_mark where student_id = ${id}`.execute(db);
    return rows[0]?.days ?? 0;
  };
  const [kept, retired] = [await count(keptId), await count(retiredId)];
  const both = await readBoth(ctx, merge);
  const differing = both
    .filter((mark) => mark.codeId !== mark.otherCodeId)
    .map((mark) => {
      const key = `${mark.day} ${mark.half}`;
      const byRule =
        choices.marks === 'Other record' || (choices.marks === 'Present wins' && mark.otherValue > mark.value);
      const isOther = !mark.isClosed && byRule !== choices.exceptions.includes(key);
      return { ...mark, key, isOther };
    });
  const { rows: moved } = await sql<{ day: string }>`
    update attendance_mark own set student_id = ${keptId}
    where student_id = ${retiredId} and not exists (
      select from attendance_mark kept join attendance_register register on register.id = kept.register_id
      join attendance_register mine on mine.id = own.register_id
      where kept.student_id = ${keptId} and kept.academic_year_id = own.academic_year_id and kept.day = own.day
        and (kept.half = own.half or 'Full day' in (register.slot, mine.slot)))
    returning day::text`.execute(db);
  const chosen = differing.filter(({ isOther }) => isOther);
  if (chosen.length > 0) {
    const rows = JSON.stringify(chosen);
    await sql`insert into attendance_correction (register_id, student_id, old_code_id, old_arrived_at, new_code_id,
        new_arrived_at, reason, outcome, applied_at)
      select "registerId", ${keptId}, "codeId", "arrivedAt", "otherCodeId", "otherArrivedAt",
        ${`Merged with GR ${retiredGrNo}`}, 'Approved', school_now()
      from jsonb_to_recordset(${rows}::jsonb) as given ("registerId" integer, "codeId" integer, "arrivedAt" time,
        "otherCodeId" integer, "otherArrivedAt" time)`.execute(db);
    await sql`update attendance_mark own set code_id = given."otherCodeId", arrived_at = given."otherArrivedAt"
      from jsonb_to_recordset(${rows}::jsonb) as given ("registerId" integer, "otherCodeId" integer, "otherArrivedAt" time)
      where own.register_id = given."registerId" and own.student_id = ${keptId}`.execute(db);
  }
  await sql`update attendance_gate own set student_id = ${keptId} where student_id = ${retiredId} and not exists (
    select from attendance_gate where student_id = ${keptId} and day = own.day)`.execute(db);
  // Two records of one child that is out: the pass of the record that ends is left with it.
  await sql`update attendance_exit own set student_id = ${keptId} where student_id = ${retiredId} and not exists (
    select from attendance_exit kept where kept.student_id = ${keptId} and kept.day = own.day
      and (kept.left_at = own.left_at or kept.returned_at is null and own.returned_at is null))`.execute(db);
  await sql`update attendance_call set student_id = ${keptId} where student_id = ${retiredId}`.execute(db);
  await sql`update attendance_leave own set student_id = ${keptId} where student_id = ${retiredId}
    and not exists (select from attendance_leave kept where kept.student_id = ${keptId}
      and kept.state in ('Asked', 'Granted') and own.state in ('Asked', 'Granted')
      and daterange(kept.from_day, kept.to_day, '[]') && daterange(own.from_day, own.to_day, '[]'))`.execute(db);
  const after = await count(keptId);
  return {
    sums: [{ label: text`Days marked`, kept, retired, after, kind: 'count' as const }],
    collisions: differing.map(
      ({ key, day, half, code, otherCode, isOther, isClosed }): MergeCollision => ({
        key: isClosed ? '' : key,
        label: half === 1 ? text`${{ day: showDate(day) }}` : text`${{ day: showDate(day) }}, afternoon`,
        kept: verbatim(code),
        retired: verbatim(otherCode),
        chosen: isOther ? 'retired' : 'kept',
      }),
    ),
    texts: [
      ...(moved.length > 0 ? [text`Marks that go to the kept record: ${{ count: moved.length }}.`] : []),
      ...(both.length > 0 ? [text`Half days that both have: ${{ count: both.length }}. Each counts once.`] : []),
    ],
    blocks: [],
    basis: [both, moved],
  };
});
