import { sql } from 'kysely';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { type ChecklistStep, checklistApi } from '../contract/checklist.ts';

const read: Handler<typeof checklistApi.read> = async ({ db }) => {
  const { rows } = await sql<Record<ChecklistStep, boolean>>`
    select
      exists (select 1 from academic_school where '' not in (name, city, phone, email, hours, hospital_text)) as profile,
      exists (select 1 from academic_branch where is_active) as branch,
      exists (select 1 from academic_department where is_active) as department,
      exists (select 1 from academic_designation where is_active) as designation,
      exists (select 1 from academic_year year where status = 'Current' and (
        exists (select 1 from academic_calendar where academic_year_id = year.id)
        or exists (select 1 from academic_calendar_day where academic_year_id = year.id))) as calendar,
      -- A series is settled once somebody has saved it, or a number of it was given.
      not exists (select 1 from number_series series where version = 1 and code in ('inquiry', 'staff', 'student')
        and not exists (select 1 from number_series_value where series_id = series.id)) as "numberSeries"`.execute(db);
  const [done] = rows as [Record<ChecklistStep, boolean>];
  return done;
};

export default routes(checklistApi, { read });
