import { sql } from 'kysely';
import type { Database } from '#kit/server/database/database.ts';
import { addDays } from '#kit/server/day.ts';

/** The seats of the current and the next year, and applications in each state that they have. */
export async function seedSeats(db: Database, staffId: number, today: string) {
  await sql`insert into admission_seat (academic_year_id, branch_id, program_id, grade_id, quota, total, reserved,
      interaction, admission_fee)
    select year.id, place.branch_id, place.program_id, place.grade_id, row.quota,
      case row.quota when 'General' then place.capacity else row.total end,
      case row.quota when 'General' then 4 else 0 end,
      case when row.quota = 'RTE' then 'None' when grade.name = 'Grade 11' then 'Assessment'
        when grade.stage = 'Foundational' then 'Interaction' else 'None' end,
      case when row.quota = 'RTE' then 0 when grade.stage in ('Foundational', 'Preparatory') then 1500000
        when grade.stage = 'Middle' then 2000000 else 2500000 end
    from (select branch_id, program_id, grade_id, sum(capacity)::integer as capacity from academic_section section
      join academic_year current_year on current_year.id = section.academic_year_id and current_year.id = academic_year_on(${today}::date)
      where section.is_active group by 1, 2, 3) as place
    join academic_grade grade on grade.id = place.grade_id
    join academic_year year on year.status <> 'Closed'
    join (values ('General', 0), ('Staff', 2), ('Management', 3), ('Sibling', 4), ('RTE', 8)) as row (quota, total)
      on row.quota <> 'RTE' or grade.position = (select min(position) from academic_grade)
    on conflict do nothing`.execute(db);
  await seedDecisions(db, staffId, today);
  await seedSlots(db, staffId, today);
  await seedTimeChoice(db, staffId, today);
}

/** The first verified child comes today. */
async function seedSlots(db: Database, staffId: number, today: string) {
  await sql`with chosen as (
      select id, branch_id, academic_year_id from admission_inquiry
      where state = 'Verified' and held_kind is null and quota <> 'RTE' order by id limit 1),
    slot as (
      insert into admission_slot (branch_id, academic_year_id, kind, starts_at, ends_at, place, capacity)
      select branch_id, academic_year_id, 'Interaction', (${today}::date + time '10:00') at time zone 'Asia/Kolkata',
        (${today}::date + time '10:20') at time zone 'Asia/Kolkata', 'Library', 1
      from chosen returning *),
    assessor as (
      insert into admission_slot_assessor (slot_id, starts_at, ends_at, staff_id)
      select id, starts_at, ends_at, ${staffId} from slot),
    own as (
      insert into admission_interaction (inquiry_id, slot_id, starts_at, ends_at, kind)
      select chosen.id, slot.id, starts_at, ends_at, kind from chosen, slot returning inquiry_id)
    update admission_inquiry inquiry set state = 'Interaction planned', status = 'Meeting planned'
    from own where own.inquiry_id = inquiry.id`.execute(db);
}

/** Three verified families of one branch choose among four slots until the evening before; one has chosen. */
async function seedTimeChoice(db: Database, staffId: number, today: string) {
  const day = addDays(today, 3);
  await sql`with place as (
      select inquiry.branch_id, inquiry.academic_year_id, (array_agg(inquiry.id order by inquiry.id))[1:3] as ids
      from admission_inquiry inquiry
      join admission_seat seat on (seat.academic_year_id, seat.branch_id, seat.program_id, seat.grade_id)
        = (inquiry.academic_year_id, inquiry.branch_id, inquiry.program_id, inquiry.grade_id)
        and seat.quota = 'General' and seat.interaction <> 'None'
      where inquiry.state = 'Verified' and inquiry.held_kind is null and inquiry.quota <> 'RTE'
      group by 1, 2 order by count(*) desc, 1, 2 limit 1),
    choice as (
      insert into admission_time_choice (branch_id, academic_year_id, kind, until, made_by, made_at)
      select branch_id, academic_year_id, 'Interaction', (${addDays(day, -1)}::date + time '18:00') at time zone 'Asia/Kolkata',
        ${staffId}, school_now() from place returning *),
    family as (
      insert into admission_time_choice_family (choice_id, inquiry_id)
      select choice.id, unnest(place.ids) from choice, place returning inquiry_id),
    slot as (
      insert into admission_slot (branch_id, academic_year_id, kind, starts_at, ends_at, place, capacity, choice_id)
      select branch_id, academic_year_id, kind, start, start + interval '20 minutes', 'Library', 1, choice.id
      from choice, generate_series((${day}::date + time '10:00') at time zone 'Asia/Kolkata',
        (${day}::date + time '11:00') at time zone 'Asia/Kolkata', interval '20 minutes') as start
      returning *),
    assessor as (
      insert into admission_slot_assessor (slot_id, starts_at, ends_at, staff_id)
      select id, starts_at, ends_at, ${staffId} from slot),
    own as (
      insert into admission_interaction (inquiry_id, slot_id, starts_at, ends_at, kind, chosen_at)
      select place.ids[1], slot.id, slot.starts_at, slot.ends_at, slot.kind, school_now()
      from place, slot order by slot.starts_at offset 1 limit 1 returning inquiry_id)
    update admission_inquiry inquiry set state = 'Interaction planned', status = 'Meeting planned'
    from own where own.inquiry_id = inquiry.id`.execute(db);
}

/** Of the verified forms, the last are held, offered, waiting, confirmed, ended, and one waits for a decision. */
async function seedDecisions(db: Database, staffId: number, today: string) {
  const kinds = sql`(values
    (1, 'Offer', 'Offered', ${addDays(today, 1)}::date), (2, 'Waitlist', 'Waitlisted', null),
    (3, 'Offer', 'Seat confirmed', ${addDays(today, 4)}::date), (4, 'Offer', 'Verified', null),
    (5, 'Reject', 'Verified', null), (6, 'Offer', 'Offer expired', ${addDays(today, -1)}::date),
    (7, 'Waitlist', 'Waitlisted', null)) as chosen (turn, kind, state, until)`;
  await sql`create temporary table seeded_decision on commit drop as
    select form.id as inquiry_id, chosen.kind, chosen.state, chosen.until, seat.id as seat_id, seat.quota as seat_quota,
      seat.admission_fee, form.turn, concat_ws(' ', form.first_name, form.last_name) as child,
      (select name from academic_grade where id = form.grade_id) as grade,
      (select name from academic_year where id = form.academic_year_id) as year
    from (select *, row_number() over (order by id desc) as turn from admission_inquiry where state = 'Verified') as form
    join ${kinds} on chosen.turn = form.turn
    join admission_seat seat on (seat.academic_year_id, seat.branch_id, seat.program_id, seat.grade_id)
      = (form.academic_year_id, form.branch_id, form.program_id, form.grade_id)
      and seat.quota = case form.quota when 'RTE' then 'RTE' else 'General' end`.execute(db);
  await sql`insert into admission_decision (inquiry_id, kind, seat_id, from_state, waitlist_position, reason_id,
      offer_until, decided_by, decided_at, released_at, letter)
    select inquiry_id, kind, case when kind <> 'Reject' then seat_id end, 'Verified',
      case when kind = 'Waitlist' then turn end,
      case when kind = 'Reject' then (select id from academic_lookup where kind = 'Reason not offered' and name = 'Age') end,
      until, ${staffId}, ${addDays(today, -8)}::timestamptz,
      case when state <> 'Verified' then ${addDays(today, -7)}::timestamptz end,
      case when state <> 'Verified' then jsonb_build_object('child', child, 'grade', grade, 'year', year,
        'amount', case when admission_fee > 0 and kind = 'Offer' then '₹' || to_char(admission_fee / 100, 'FM99,99,999') else '' end,
        'replyBy', coalesce(to_char(until, 'FMDD Mon YYYY'), '')) end
    from seeded_decision`.execute(db);
  await sql`insert into admission_payment (inquiry_id, slip_no, amount, mode, reference, paid_on, taken_by, taken_at)
    select inquiry_id, 'ADM/DEMO/' || inquiry_id, admission_fee, 'UPI', '63312640' || inquiry_id, ${addDays(today, -3)}::date,
      ${staffId}, ${addDays(today, -3)}::timestamptz
    from seeded_decision where state = 'Seat confirmed' and admission_fee > 0`.execute(db);
  await sql`update admission_inquiry own set state = chosen.state,
      status = case chosen.state when 'Offered' then 'Place offered' when 'Waitlisted' then 'On the waiting list'
        when 'Seat confirmed' then 'Place confirmed' when 'Offer expired' then 'Offer expired' else own.status end,
      seat_id = case when chosen.kind <> 'Reject' then chosen.seat_id end,
      seat_quota = case when chosen.kind <> 'Reject' then chosen.seat_quota end,
      waitlist_position = case when chosen.state = 'Waitlisted' then chosen.turn end,
      held_kind = case when chosen.state = 'Verified' then chosen.kind end,
      held_decision_id = case when chosen.state = 'Verified' then decision.id end,
      offer_expires_on = chosen.until,
      ended_state = case when chosen.state = 'Offer expired' then 'Verified' else '' end
    from seeded_decision chosen join admission_decision decision using (inquiry_id) where own.id = chosen.inquiry_id`.execute(
    db,
  );
}
