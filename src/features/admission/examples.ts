import { toLocalDate } from '#kit/server/day.ts';
import { toFamily } from '#testing/addressed.ts';
import { confirmSeat, plantWaiting } from '#testing/admission.ts';
import type { Examples, Stage } from '#testing/examples.ts';
import type { School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';

async function submitted(school: School) {
  const family = await school.inquiry();
  await family.fillAll();
  await family.submit();
  return family.id;
}

const waiting = (list: string, by: 'office' | 'principal') => async (stage: Stage) => {
  const { seatId } = await plantWaiting(stage.school);
  return { url: `/process/export/${list}?as=csv&seatId=${seatId}`, by: stage[by] };
};

export const examples: Examples = {
  exports: {
    'GET /inquiry/export': async ({ school, office }) => {
      await school.inquiry();
      return { url: '/inquiry/export?as=csv&tab=all', by: office };
    },
    'GET /review/export': async ({ school, office }) => {
      await submitted(school);
      return { url: '/review/export?as=csv&tab=all', by: office };
    },
    'GET /review/:id/print': async ({ school, office }) => ({
      url: `/review/${await submitted(school)}/print`,
      by: office,
    }),
    'GET /admission-account/export': async ({ school, office }) => {
      await confirmSeat(school, await openSection(school));
      return { url: '/admission-account/export?as=csv&tab=toCreate', by: office };
    },
    'GET /process/export': async ({ school, office }) => {
      await school.sql(`update admission_inquiry set state = 'Verified' where id = ${(await school.inquiry()).id}`);
      return { url: '/process/export?as=csv&tab=all', by: office };
    },
    'GET /process/export/merit': waiting('merit', 'principal'),
    'GET /process/export/waiting': waiting('waiting', 'office'),
    'GET /process/export/calls': async ({ school, office }) => {
      await plantWaiting(school);
      return { url: `/process/export/calls?as=csv&day=${toLocalDate(new Date())}`, by: office };
    },
    'POST /process/letters': async ({ school, office }) => {
      await plantWaiting(school);
      return { url: '/process/letters', body: { isAll: true, query: { tab: 'all' } }, by: office };
    },
  },
  messages: {
    'admission.meeting': async (school) => {
      const { id, slotId } = await plantWaiting(school);
      await school.sql(`update admission_slot set starts_at = starts_at + interval '1 day', ends_at = ends_at + interval '1 day'
        where id = ${slotId}`);
      return toFamily(school, id);
    },
    'admission.choose-time': async (school) => {
      const { id } = await plantWaiting(school);
      await school.sql(`update admission_inquiry set state = 'Verified', waitlist_position = null, seat_id = null,
        seat_quota = null where id = ${id}`);
      await school.sql(`with choice as (
          insert into admission_time_choice (branch_id, academic_year_id, kind, until, made_by, made_at)
          select branch_id, academic_year_id, 'Interaction', now() + interval '2 days', (select min(id) from staff), now()
          from admission_inquiry where id = ${id} returning id)
        insert into admission_time_choice_family (choice_id, inquiry_id) select id, ${id} from choice`);
      return toFamily(school, id);
    },
    'admission.offer-reminder': async (school) => {
      const { id } = await plantWaiting(school);
      await school.sql(`update admission_inquiry set state = 'Offered', waitlist_position = null, offer_expires_on = current_date + 9
        where id = ${id}`);
      return toFamily(school, id);
    },
    'admission.welcome': async (school) => {
      const { id } = await confirmSeat(school, await openSection(school));
      const studentId = await seat(school, await openSection(school), 'Ishaan');
      await school.sql(`update admission_inquiry set state = 'Admitted', student_id = ${studentId},
        father_email = 'father@family.example' where id = ${id}`);
      return toFamily(school, id);
    },
  },
  rows: async (school) => {
    const { sql } = school;
    const family = await school.inquiry();
    await sql(`insert into admission_document_waiver (inquiry_id, name, reason)
      values (${family.id}, 'Aadhar Card', 'The office has seen it.')`);
    await sql(`insert into admission_note (inquiry_id, note, staff_id, written_at)
      select ${family.id}, 'Asked for a seat in the morning shift.', min(id), now() from staff`);
    await sql(`with correction as (insert into admission_correction (inquiry_id, pages, staff_id, requested_at, answered_at)
        select ${family.id}, '{1}', min(id), now(), now() from staff returning id)
      insert into admission_remark (inquiry_id, section, field, remark, correction_id)
      select ${family.id}, 'Child', 'firstName', 'As on the certificate.', id from correction`);
    await sql(`insert into admission_document_verdict (document_id, result, staff_id, decided_at)
      select min(document.id), 'Verified', min(staff.id), now() from admission_document document, staff`);
    await sql(`with place as (
        select inquiry.*, (select min(id) from staff) as staff_id from admission_inquiry inquiry
        where id = ${(await school.inquiry()).id}),
      seat as (
        insert into admission_seat (academic_year_id, branch_id, program_id, grade_id, quota, total)
        select academic_year_id, branch_id, program_id, grade_id, quota, 30 from place
        on conflict on constraint admission_seat_once do update set total = 30 returning id, quota),
      decided as (
        insert into admission_decision (inquiry_id, kind, seat_id, from_state, decided_by, decided_at, released_at, letter)
        select place.id, 'Offer', seat.id, 'Verified', staff_id, now(), now(), '{}' from place, seat),
      paid as (
        insert into admission_payment (inquiry_id, slip_no, amount, mode, paid_on, taken_by, taken_at)
        select id, 'ADM/T/1', 1500000, 'Cash', current_date, staff_id, now() from place)
      update admission_inquiry own set state = 'Seat confirmed', seat_id = seat.id, seat_quota = seat.quota,
        offer_expires_on = current_date from place, seat where own.id = place.id`);
    await sql(`with choice as (
        insert into admission_time_choice (branch_id, academic_year_id, kind, until, made_by, made_at)
        select branch_id, academic_year_id, 'Interaction', school_now(), (select min(id) from staff), school_now()
        from admission_inquiry where id = ${family.id} returning id)
      insert into admission_time_choice_family (choice_id, inquiry_id) select id, ${family.id} from choice`);
    await sql(`with slot as (
        insert into admission_slot (branch_id, academic_year_id, kind, starts_at, ends_at, place, capacity)
        select branch_id, academic_year_id, 'Interaction', now(), now() + interval '20 minutes', 'Office', 1
        from admission_inquiry where id = ${family.id} returning *),
      assessor as (
        insert into admission_slot_assessor (slot_id, starts_at, ends_at, staff_id)
        select slot.id, starts_at, ends_at, (select min(id) from staff) from slot),
      own as (
        insert into admission_interaction (inquiry_id, slot_id, starts_at, ends_at, kind, status)
        select ${family.id}, id, starts_at, ends_at, kind, 'Came' from slot returning *)
      insert into admission_outcome (interaction_id, kind, staff_id, recommendation, written_at)
      select id, kind, (select min(id) from staff), 'Recommended', now() from own`);
  },
};
