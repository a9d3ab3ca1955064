import { sql } from 'kysely';
import type { Database } from '#kit/server/database/database.ts';

const names = ['Asha', 'Bhavna', 'Chirag', 'Devang', 'Esha', 'Falguni', 'Gaurav', 'Hetal', 'Ila', 'Jignesh'];
const surnames = [
  'Patel',
  'Shah',
  'Mehta',
  'Joshi',
  'Desai',
  'Trivedi',
  'Solanki',
  'Parmar',
  'Chauhan',
  'Rana',
  'Vyas',
];

/**
 * Adds 3 000 members of staff with three posts, two qualifications and three documents each. One in ten has left, one
 * in eight came back, one in forty joins later; two in three have an account, and most of these have signed in fifty
 * times.
 */
export async function addBenchStaff(db: Database) {
  await sql`with added as (insert into staff (name, employee_number, email, mobile)
      select (${names}::text[])[1 + n % ${names.length}] || ' ' || (${surnames}::text[])[1 + n % ${surnames.length}],
        'B' || lpad(n::text, 5, '0'), 'staff' || n || '@bench-school.example', (6000000000 + n)::text
      from generate_series(1, 3000) n returning id, substr(employee_number, 2)::integer as n),
    department as (insert into academic_department (name) select 'Department ' || n from generate_series(1, 8) n returning id),
    designation as (insert into academic_designation (name) select 'Designation ' || n from generate_series(1, 8) n returning id),
    spell as (insert into staff_employment (staff_id, joined_on, last_day)
      select id, case when n % 40 = 0 then current_date + 30 else date '2010-06-01' + n % 4000 end,
        case when n % 10 = 1 then current_date - 1 - n % 300 end from added
      union all select id, date '2005-06-01', date '2009-05-31' from added where n % 8 = 0),
    account as (insert into sign_in_account (staff_id, is_staff, is_active)
      select id, true, n % 20 <> 0 from added where n % 3 <> 0 returning id),
    signed_in as (insert into audit (actor, action, entity, entity_id, request_id)
      select 'Bench', 'sign-in.signed-in', 'sign_in_account', id, 'bench'
      from account, generate_series(1, 50) where id % 7 <> 0)
    insert into staff_post (staff_id, effective_from, effective_to, designation_id, department_id, branch_id)
      select id, date '2012-06-01' + year * 365, case when year < 2 then date '2012-05-31' + (year + 1) * 365 end,
        (select (array_agg(id))[1 + n % 8] from designation), (select (array_agg(id))[1 + n % 8] from department),
        (select min(id) from academic_branch)
      from added, generate_series(0, 2) year`.execute(db);
  await sql`with qualified as (insert into staff_qualification (staff_id, qualification_id, subject, institute, year)
      select staff.id, qualification.id, 'Mathematics', 'A university', 2004
      from staff, (select id from hris_qualification order by id limit 2) qualification),
    file as (insert into file (id, owner, owner_id, media_type, name, bytes, sha256)
      select gen_random_uuid(), 'staff', id, 'application/pdf', 'paper.pdf', 1000, sha256('paper')
      from staff, generate_series(1, 3) returning id, owner_id)
    insert into staff_document (staff_id, document_type_id, file_id, issued_on, expires_on)
      select owner_id, (select min(id) from hris_document_type), id, date '2020-06-01', current_date + 90
      from file`.execute(db);
}
