import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { isOpenOn } from '#kit/server/security/open-account.ts';
import type { FoundVisit } from './visit-visible.ts';

export const readRatings = ({ db }: UserContext, visitId: number) =>
  db
    .selectFrom('observation_visit_rating')
    .where('visit_id', '=', visitId)
    .select(['indicator_id as indicatorId', 'level_id as levelId', 'comment'])
    .orderBy('indicator_id')
    .execute();

export const readEvidence = ({ db }: UserContext, visitId: number) =>
  db
    .selectFrom('observation_visit_evidence')
    .where('visit_id', '=', visitId)
    .select(['id', 'at', 'text'])
    .orderBy('id')
    .execute();

export async function readVisitNames({ db }: UserContext, id: number) {
  const { rows } = await sql<{ observer: string; type: string; section: string }>`
    select observer.name as observer, type.name as type,
      coalesce(academic_section_name(grade.name, section.name), '') as section
    from observation_visit visit join staff observer on observer.id = visit.observer_id
    join observation_type type on type.id = visit.type_id
    left join academic_section section on section.id = visit.section_id
    left join academic_grade grade on grade.id = section.grade_id where visit.id = ${id}`.execute(db);
  return rows[0] ?? { observer: '', type: '', section: '' };
}

/** Who may observe the teacher instead: Admins, principals of the branch and the head of the department. */
export async function otherObservers({ db, now }: UserContext, { id }: FoundVisit) {
  const { rows } = await sql<{ id: number; name: string }>`
    select staff.id, staff.name from observation_visit visit
    join sign_in_account account on account.staff_id not in (visit.observed_id, visit.observer_id)
      and ${isOpenOn(toLocalDate(now()))}
    join staff on staff.id = account.staff_id
    left join lateral (select branch_id, department_id from staff_post own where own.staff_id = visit.observed_id
      and ${toLocalDate(now())}::date between own.effective_from and coalesce(own.effective_to, 'infinity') limit 1) as post on true
    where visit.id = ${id} and (account.is_admin
      or account.is_staff and 'principal' = any(account.sets)
        and (not exists (select from sign_in_account_branch where account_id = account.id)
          or exists (select from sign_in_account_branch where account_id = account.id and branch_id = post.branch_id))
      or account.is_staff and exists (select from academic_department department
        where department.id = post.department_id and department.staff_id = staff.id))
    order by lower(staff.name), staff.id limit 200`.execute(db);
  return rows;
}
