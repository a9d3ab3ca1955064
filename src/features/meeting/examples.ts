import { withFamilyLink } from '#testing/addressed.ts';
import type { Examples } from '#testing/examples.ts';
import { openFamilyPage } from '#testing/family.ts';
import { nextNumber } from '#testing/numbers.ts';
import type { School } from '#testing/school.ts';

/** A meeting with one time, booked by a guardian, and a message about it. */
async function plantMeeting(school: School, { kind = 'Open', state = 'Open' } = {}) {
  const { child, guardianId } = await openFamilyPage(school);
  await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${guardianId}`);
  // Each example has another time of the teacher.
  const at = 5 * (nextNumber() % 250);
  const [row] = await school.sql(`
    with place as (select section.id, section.branch_id, section.academic_year_id from student_section own
        join academic_section section on section.id = own.section_id where own.student_id = ${child} limit 1),
      meeting as (insert into meeting (academic_year_id, branch_id, name, day, minutes, gap, walk, books_until, is_apart, state, reason)
        select academic_year_id, branch_id, 'Parent meeting', current_date + 1, 10, 0, 5, current_date, false, '${state}', 'Rain'
        from place returning id),
      part as (insert into meeting_section select meeting.id, place.id from meeting, place),
      host as (insert into meeting_host (meeting_id, staff_id, starts_at, ends_at, is_closed, reason)
        select meeting.id, (select max(id) from staff), current_date + 1 + make_interval(mins => ${at}), current_date + 1 + make_interval(mins => ${at + 5}),
          ${kind === 'Closed'}, 'Ill' from meeting returning *),
      slot as (insert into meeting_slot (host_id, staff_id, starts_at, ends_at, leaves_at, is_closed, student_id, guardian_id, booked_at)
        select id, staff_id, starts_at, ends_at, ends_at, is_closed, ${child}, ${guardianId}, now() from host returning id),
      told as (insert into meeting_told (meeting_id, guardian_id, kind)
        select id, ${guardianId}, '${kind === 'Closed' ? 'Open' : kind}' from meeting returning id)
    select (select id from meeting) as meeting, (select id from slot) as slot, (select id from told) as told`);
  return { guardianId, meeting: Number(row?.meeting), slot: Number(row?.slot), told: Number(row?.told) };
}

const toldOf = (kind: string, state?: string) => async (school: School) => {
  const { guardianId, told } = await plantMeeting(school, { kind, ...(state && { state }) });
  return withFamilyLink(school, guardianId, told);
};

export const examples: Examples = {
  exports: {
    'GET /meeting/:id/sheet': async ({ school, principal, openThisYear }) => {
      await openThisYear();
      const { meeting } = await plantMeeting(school);
      return { url: `/meeting/${meeting}/sheet`, by: principal };
    },
  },
  messages: {
    'meeting.open': toldOf('Open'),
    'meeting.reminder': toldOf('Reminder'),
    'meeting.cancelled': toldOf('Cancelled', 'Cancelled'),
    'meeting.closed': async (school) => {
      const { guardianId, slot } = await plantMeeting(school, { kind: 'Closed' });
      return withFamilyLink(school, guardianId, slot);
    },
  },
  rows: ({ sql }) =>
    sql(`insert into meeting_told (meeting_id, guardian_id, kind)
      select slot.meeting_id, min(slot.guardian_id), 'Open' from (select host.meeting_id, own.guardian_id from meeting_slot own
        join meeting_host host on host.id = own.host_id where own.guardian_id is not null) as slot
      group by slot.meeting_id on conflict do nothing`),
};
