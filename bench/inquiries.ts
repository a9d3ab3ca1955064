import { sql } from 'kysely';
import type { Database } from '#kit/server/database/database.ts';

const children = ['Aarav', 'Diya', 'Hetvi', 'Jainil', 'Kavya', 'Meet', 'Nirali', 'Parth', 'Riya', 'Smit', 'Yash'];
const surnames = ['Patel', 'Shah', 'Mehta', 'Joshi', 'Desai', 'Rathod', 'Solanki', 'Parmar', 'Chauhan', 'Vyas'];

/**
 * Adds 100 000 inquiries that came in over five years: most have ended, one in seven is followed up, and one in twelve
 * is submitted, with its documents and some verdicts. `like` is the inquiry whose place and key they share.
 */
export async function addBenchInquiries(db: Database, like: number) {
  // In parts, each within the time of a statement.
  for (let first = 1; first <= count; first += part) await addInquiries(db, like, first);
  await addPapers(db, like);
}

const count = 100_000;
const part = 5000;

const addInquiries = (db: Database, like: number, first: number) =>
  sql`insert into admission_inquiry (inquiry_no, link_hash, link_key_id, link_expires_at, academic_year_id,
      branch_id, board_id, program_id, grade_id, first_name, last_name, birth_date, father_first_name, father_mobile, father_email,
      created_at, state, submitted_at, received_at, next_follow_up_on, link_sent_at, lead_source_id, reviewer_id)
    select 'INQ/B/' || lpad(n::text, 6, '0'), sha256(('bench ' || n)::bytea), link_key_id, link_expires_at,
      academic_year_id, branch_id, board_id, program_id, (select id from academic_grade order by id offset n % 12 limit 1),
      (${children}::text[])[1 + n % ${children.length}], (${surnames}::text[])[1 + n % ${surnames.length}],
      date '2019-01-01' + n % 1500, 'Nilesh', (7000000000 + n)::text, 'family' || n || '@bench.example',
      now() - interval '5 years' + n * interval '26 minutes', drawn,
      case when is_received and drawn <> 'Correction requested' then received end, case when is_received then received end,
      case when n % 3 = 0 and drawn in ('New', 'Form sent', 'In progress') then current_date - 3 + n % 9 end,
      now(), (select min(id) from academic_lookup where kind = 'Lead source'),
      case when drawn in ('Under review', 'Verified') then (select min(id) from staff) end
    from admission_inquiry, generate_series(${first}::integer, ${first + part - 1}::integer) as n,
      lateral (select case when n % 100 < 5 then 'New' when n % 100 < 10 then 'Form sent' when n % 100 < 14 then 'In progress'
        when n % 100 < 17 then 'Submitted' when n % 100 < 20 then 'Under review' when n % 100 < 22 then 'Verified'
        when n % 100 < 60 then 'Lost' else 'Rejected' end as drawn) as standing,
      lateral (select drawn in ('Submitted', 'Under review', 'Verified') as is_received,
        now() - (n % 40) * interval '1 day' - n * interval '1 second' as received) as submission
    where id = ${like}`.execute(db);

/** Two documents and some verdicts for each form that is submitted. */
async function addPapers(db: Database, like: number) {
  await sql`with received as (select id from admission_inquiry where received_at is not null and id <> ${like}),
    file as (insert into file (id, owner, owner_id, media_type, name, bytes, sha256)
      select gen_random_uuid(), 'admission_inquiry', id, 'image/jpeg', 'paper.jpg', 1000, sha256('paper')
      from received, generate_series(1, 2) returning id, owner_id),
    named as (select id, owner_id, row_number() over (partition by owner_id) as n from file)
    insert into admission_document (inquiry_id, name, other_description, file_id)
      select owner_id, case n when 1 then 'Birth Certificate' else 'Aadhar Card' end, '', id from named`.execute(db);
  await sql`insert into admission_verdict (inquiry_id, section, result, staff_id, decided_at)
    select id, section, 'Accepted', reviewer_id, now()
    from admission_inquiry, unnest(array['Child', 'Family', 'Health']) as section
    where state in ('Under review', 'Verified') and reviewer_id is not null`.execute(db);
  await sql`insert into admission_document_verdict (document_id, result, staff_id, decided_at)
    select document.id, 'Verified', reviewer_id, now() from admission_document document
    join admission_inquiry inquiry on inquiry.id = inquiry_id where state = 'Verified' and reviewer_id is not null`.execute(
    db,
  );
}
