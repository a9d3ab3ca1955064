import type { Family, School } from './school.ts';

type Values = Record<string, unknown>;

interface Place {
  academicYearId: number;
  branchId: number;
  programId: number;
  gradeId: number;
}

/** A family whose form is verified and whose seat in a place, or in that of a section, is confirmed, as after its payment. */
export async function confirmSeat(
  school: School,
  at: number | Place,
  child: Values = {},
  parents: Values = {},
): Promise<Family> {
  const [found] =
    typeof at === 'number'
      ? await school.sql(`select academic_year_id as "academicYearId", branch_id as "branchId",
          program_id as "programId", grade_id as "gradeId" from academic_section where id = ${at}`)
      : [at];
  const { academicYearId, branchId, programId, gradeId } = found as Place;
  const family = await school.inquiry({
    academicYearId,
    branchId,
    programId,
    gradeId,
    boardId: 1,
    firstName: String(child.firstName ?? 'Meera'),
    lastName: 'Patel',
    gender: 'F',
    birthDate: String(child.birthDate ?? '2020-03-12'),
    fatherFirstName: String(parents.fatherFirstName ?? 'Nikhil'),
    fatherLastName: 'Patel',
    fatherMobile: String(parents.fatherMobileNo ?? '9825011111'),
    motherFirstName: 'Hetal',
    motherLastName: 'Patel',
    motherMobile: String(parents.motherMobileNo ?? '9825022222'),
  });
  const saved = [
    await family.saveBasicInfo(child),
    await family.saveParentInfo(parents),
    await family.saveHealth(),
    await family.saveAdditionalInfo(),
    await family.upload('Birth Certificate'),
    await family.upload('Aadhar Card'),
    await family.submit(),
  ];
  for (const { status, text } of saved) if (status !== 200) throw new Error(`A page was refused: ${text}`);
  await school.sql(`insert into admission_verdict (inquiry_id, section, result, staff_id, decided_at)
    select ${family.id}, section, 'Accepted', (select min(id) from staff), now()
    from unnest(array['Child', 'Family', 'Health', 'Contacts', 'Languages']) as section`);
  await school.sql(`insert into admission_document_verdict (document_id, result, staff_id, decided_at)
    select id, 'Verified', (select min(id) from staff), now() from admission_document where inquiry_id = ${family.id}`);
  await school.sql(`insert into admission_seat (academic_year_id, branch_id, program_id, grade_id, quota, total)
    select academic_year_id, branch_id, program_id, grade_id, 'General', 500 from admission_inquiry where id = ${family.id}
    on conflict do nothing`);
  await school.sql(`update admission_inquiry inquiry set state = 'Seat confirmed', status = 'Place confirmed',
      seat_id = seat.id, seat_quota = seat.quota, offer_expires_on = current_date + 7
    from admission_seat seat where inquiry.id = ${family.id} and seat.quota = 'General'
      and (seat.academic_year_id, seat.branch_id, seat.program_id, seat.grade_id)
        = (inquiry.academic_year_id, inquiry.branch_id, inquiry.program_id, inquiry.grade_id)`);
  return family;
}

/** A child on the waiting list of a row with a scored assessment, with a letter, and with a slot at this hour. */
export async function plantWaiting(school: School): Promise<{ id: number; seatId: number; slotId: number }> {
  const { id } = await school.inquiry();
  const [row] = await school.sql(`with place as (select * from admission_inquiry where id = ${id}),
    seat as (
      insert into admission_seat (academic_year_id, branch_id, program_id, grade_id, quota, total, interaction)
      select academic_year_id, branch_id, program_id, grade_id, 'General', 40, 'Assessment' from place
      on conflict on constraint admission_seat_once do update set interaction = 'Assessment' returning id),
    decided as (
      insert into admission_decision (inquiry_id, kind, seat_id, from_state, waitlist_position, decided_by, decided_at,
        released_at, letter)
      select place.id, 'Waitlist', seat.id, 'Verified', place.id, (select min(id) from staff), now(), now(),
        '{"subject": "Waiting list", "body": "Dear parents"}' from place, seat),
    slot as (
      insert into admission_slot (branch_id, academic_year_id, kind, starts_at, ends_at, place, capacity)
      select branch_id, academic_year_id, 'Assessment', now(), now() + interval '20 minutes', 'Office', 1 from place
      returning *),
    own as (
      insert into admission_interaction (inquiry_id, slot_id, starts_at, ends_at, kind)
      select ${id}, id, starts_at, ends_at, kind from slot),
    waits as (
      update admission_inquiry own set state = 'Waitlisted', seat_id = seat.id, seat_quota = 'General',
        waitlist_position = own.id from seat where own.id = ${id})
    select seat.id as "seatId", slot.id as "slotId" from seat, slot`);
  return { id, ...(row as { seatId: number; slotId: number }) };
}
