import { toGuardian, withFamilyLink } from '#testing/addressed.ts';
import type { Examples, Stage } from '#testing/examples.ts';
import { openFamilyPage } from '#testing/family.ts';
import type { School } from '#testing/school.ts';

const addYear = async ({ school }: Stage, start: number, status = 'Open') => {
  const [row] = await school.sql(`insert into academic_year (name, starts_on, ends_on, age_cutoff_on, status, closed_at)
    values ('${start}-${start + 1}', '${start}-06-01', '${start + 1}-05-31', '${start}-06-01', '${status}',
      ${status === 'Closed' ? 'now()' : 'null'}) returning id`);
  return Number(row?.id);
};

/** Asks the families of the year that a child is in about the year after it, from a day before today. */
const askAbout = ({ sql }: Pick<School, 'sql'>, studentId: number) =>
  sql(`
    with own as (select enrollment.grade_id, year.id as year_id, year.ends_on from student_enrollment enrollment
      join academic_year year on year.id = enrollment.academic_year_id where enrollment.student_id = ${studentId}),
    made as (insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
      select extract(year from ends_on) || '-' || extract(year from ends_on) + 1, ends_on + 1, ends_on + 360, ends_on + 1
      from own where not exists (select from academic_year where starts_on > own.ends_on) returning id),
    later as (select id from made union all
      (select year.id from academic_year year, own where year.starts_on > own.ends_on order by year.starts_on limit 1))
    insert into year_question (to_year_id, from_year_id, words, grade_ids, opens_on, closes_on)
    select later.id, own.year_id, 'Will your child be with us?', array[own.grade_id], school_now()::date - 1,
      school_now()::date + 30 from own, later
    on conflict (from_year_id) do update set grade_ids = year_question.grade_ids || excluded.grade_ids
    returning to_year_id as id`);

export const examples: Examples = {
  exports: {
    'GET /year-end/answer/export': async ({ school, office, pupil }) => {
      await pupil();
      const [child] = await school.sql('select max(student_id) as id from student_section');
      await askAbout(school, Number(child?.id));
      return { url: '/year-end/answer/export?as=csv&tab=all', by: office };
    },
  },
  messages: {
    'year-end.question': async (school) => {
      const { child, guardianId } = await openFamilyPage(school);
      await askAbout(school, child);
      await school.sql(`insert into year_asking (to_year_id, guardian_id, round, sent_at, student_ids)
        select to_year_id, ${guardianId}, 'ask', school_now(), array[student_id] from year_proposal where student_id = ${child}`);
      return withFamilyLink(school, guardianId);
    },
    'year-end.result': (school) =>
      toGuardian(school, async ({ studentId }) => {
        const [made] = await school.sql(`with own as (update student_enrollment set status = 'Promoted'
            where student_id = ${studentId} returning id, joined_on)
          insert into student_result_change (enrollment_id, from_status, to_status, reason, effective_from, made_by, applied_at)
          select id, 'Detained', 'Promoted', 'Passed the re-test', joined_on, 'Hansa Vora', school_now() from own returning id`);
        return Number(made?.id);
      }),
  },
  reported: {
    'POST /year-end/:id/close': async (stage) => {
      const url = `/api/year-end/${await addYear(stage, 1981)}/close`;
      const close = (body: object) => stage.admin.send({ method: 'POST', url, body });
      const { json } = await close({ seen: [] });
      const seen = json.kept.map(({ key }: { key: string }) => key);
      const { json: preview } = await close({ seen });
      return () => close({ seen, confirmToken: preview.confirmToken });
    },
    'POST /year-end/:id/reopen': async (stage) => {
      const url = `/api/year-end/${await addYear(stage, 2391, 'Closed')}/reopen`;
      return () => stage.admin.send({ method: 'POST', url, body: { reason: 'A register is missing' } });
    },
  },
};
