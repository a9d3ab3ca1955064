import { sql } from 'kysely';
import { schoolDaysChanged } from '#features/calendar/contract/hooks.ts';
import { relieveHook } from '#features/staff/contract/hooks.ts';
import { enrolmentHook, guardianMergeHook, mergeHook } from '#features/student/contract/hooks.ts';
import { awayHook } from '#features/workday/contract/hooks.ts';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';

/** Open meetings of branches whose day has no school any more are named: the office cancels them, or holds them all the same. */
export const answerCalendar = answer(
  schoolDaysChanged,
  { by: 'meeting', step: 8 },
  async ({ db }, { yearId, days }) => {
    const closed = days.filter(({ work }) => work === 0).map(({ day }) => day);
    const { rows } = await sql<{ id: number; name: string; day: string; booked: number }>`
    select meeting.id, meeting.name, meeting.day, (select count(*)::integer from meeting_host host
      join meeting_slot slot on slot.host_id = host.id where host.meeting_id = meeting.id and slot.student_id is not null) as booked
    from meeting where academic_year_id = ${yearId} and state = 'Open' and day = any(${closed}::date[]) order by day, id`.execute(
      db,
    );
    return {
      warns: rows.map(({ name, day, booked }) =>
        text(
          {
            message:
              '{name} is on {day}, with {n, plural, one {# time} other {# times}} booked. Cancel it, or hold it on that day.',
          },
          { name, day: showDate(day), n: booked },
        ),
      ),
      moves: [],
      basis: rows,
    };
  },
);

/** The times of a teacher who is away, so that the office closes them and the families hear of it. */
export const answerAway = answer(awayHook, { by: 'meeting', step: 8 }, async ({ db }, { staffId, halves }) => {
  const days = [...new Set(halves.map(({ day }) => day))];
  const { rows } = await sql<{ name: string; day: string; booked: number }>`
    select meeting.name, meeting.day, (select count(*)::integer from meeting_slot slot
      where slot.host_id = host.id and slot.student_id is not null) as booked
    from meeting join meeting_host host on host.meeting_id = meeting.id
    where host.staff_id = ${staffId} and not host.is_closed and meeting.state = 'Open' and meeting.day = any(${days}::date[])
    order by meeting.day, meeting.id`.execute(db);
  return {
    texts: rows.map(({ name, day, booked }) =>
      text(
        { message: '{name} on {day}: {n, plural, one {# family has} other {# families have}} a time.' },
        { name, day: showDate(day), n: booked },
      ),
    ),
  };
});

/** Times after the last day of a teacher must be closed first: the families hear of it. */
export const answerLeaving = answer(relieveHook, { by: 'meeting', step: 8 }, async ({ db }, { staffId, lastDay }) => {
  const { rows } = await sql<{ id: number; name: string; day: string }>`
    select host.id, meeting.name, meeting.day from meeting join meeting_host host on host.meeting_id = meeting.id
    where host.staff_id = ${staffId} and not host.is_closed and meeting.state <> 'Cancelled' and meeting.day > ${lastDay}::date
    order by meeting.day, host.id`.execute(db);
  return {
    ends: [],
    blocks: rows.map(({ name, day }) => text`Has times at ${{ name }} on ${{ day: showDate(day) }}.`),
    basis: rows,
  };
});

/** A child who leaves gives up the times after its last day, without a word. */
export const answerEnrolment = answer(enrolmentHook, { by: 'meeting', step: 8 }, async ({ db }, changes) => {
  const left = changes.filter(({ kind }) => kind === 'left' || kind === 'cancelled');
  const { rows } = await sql<{ id: number }>`
    update meeting_slot slot set student_id = null, guardian_id = null, apart_id = 0, booked_at = null, booked_by = null
    from jsonb_to_recordset(${JSON.stringify(left)}::jsonb) as change ("studentId" integer, day date)
    where slot.student_id = change."studentId" and slot.came = '' and not slot.is_closed
      and slot.starts_at >= (change.day + 1)::timestamp at time zone 'Asia/Kolkata'
    returning slot.id`.execute(db);
  return {
    texts:
      rows.length > 0
        ? [
            text(
              { message: '{n, plural, one {# time} other {# times}} with teachers at a meeting will be given up.' },
              { n: rows.length },
            ),
          ]
        : [],
    blocks: [],
    basis: rows.map(({ id }) => id).sort((one, other) => one - other),
  };
});

/** What hangs on the record of a student or an adult in this feature. */
export const meetingMerges: readonly Merging[] = [
  { table: 'meeting_slot', words: text`Times at meetings`, how: 'moves' },
  { table: 'meeting_told', words: text`Messages about meetings`, how: 'remains' },
];

/** Of two times of one child with one teacher the kept record’s is kept. */
export const mergeTimes = answer(mergeHook, { by: 'meeting', step: 8 }, async ({ db }, { keptId, retiredId }) => {
  await sql`update meeting_slot own set student_id = null, guardian_id = null, apart_id = 0, booked_at = null, booked_by = null,
      came = '', note = ''
    where student_id = ${retiredId} and exists (select from meeting_slot kept where kept.host_id = own.host_id
      and kept.student_id = ${keptId} and kept.apart_id = own.apart_id)`.execute(db);
  await sql`update meeting_slot set student_id = ${keptId} where student_id = ${retiredId}`.execute(db);
  return { sums: [], collisions: [], texts: [], blocks: [], basis: [] };
});

/** The other adult’s times are the kept one’s; those at the same moment are given up first. */
export const mergeTimesOfAdults = answer(
  guardianMergeHook,
  { by: 'meeting', step: 8 },
  async ({ db }, { keptId, retiredId }) => {
    const { rows } = await sql<{ id: number; name: string; day: string }>`
      select own.id, meeting.name, meeting.day from meeting_slot own
      join meeting_host host on host.id = own.host_id join meeting on meeting.id = host.meeting_id
      join meeting_slot kept on kept.guardian_id = ${keptId} and kept.there && own.there and not kept.is_closed
      where own.guardian_id = ${retiredId} and not own.is_closed order by own.id`.execute(db);
    if (rows.length === 0)
      await sql`update meeting_slot set guardian_id = ${keptId},
        apart_id = case when apart_id = 0 then 0 else ${keptId}::integer end
      where guardian_id = ${retiredId} and not (apart_id <> 0 and exists (select from meeting_slot kept
        where kept.host_id = meeting_slot.host_id and kept.student_id = meeting_slot.student_id and kept.apart_id = ${keptId}))`.execute(
        db,
      );
    return {
      sums: [],
      texts: [],
      blocks: rows.map(
        ({ name, day }) =>
          text`Both have a time at the same moment at ${{ name }} on ${{ day: showDate(day) }}. Free one first.`,
      ),
      basis: rows,
    };
  },
);
