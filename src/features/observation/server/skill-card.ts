import { sql } from 'kysely';
import { staff } from '#access/contract/grants.ts';
import { studentCard } from '#features/student/contract/cards.ts';
import { showDate } from '#kit/contract/day.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { ServedCard } from '#kit/server/context.ts';
import { inPeriod } from '#kit/server/period.ts';

const mostSkills = 12;

interface Row {
  skill: string;
  domain: string;
  level: string;
  position: number;
  before: number | null;
  times: number;
  day: string;
}

/** Levels are sorted from the lowest to the highest. */
function courseOf({ before, position }: Row): Text {
  if (before === null) return text`First`;
  if (position > before) return text`Higher`;
  return position < before ? text`Lower` : text`Same`;
}

/** The latest level of each skill in the period, and whether it is higher than the one before. */
export const studentSkills: ServedCard = {
  card: studentCard('skill', 'school', 30, text`Skills`, [
    staff('classTeacher', 'subjectTeacher', 'principal', 'counsellor'),
  ]),
  read: async ({ db }, id, period) => {
    const { rows } = await sql<Row>`
      select * from (
        select distinct on (evidence.skill_id) skill.name as skill, domain.name as domain, level.name as level,
          level.position, evidence.noted_on::text as day,
          lag(level.position) over by_day as before, count(*) over (partition by evidence.skill_id)::integer as times
        from student_skill_evidence evidence
        join configuration_skill skill on skill.id = evidence.skill_id
        join configuration_skill_domain domain on domain.id = skill.skill_domain_id
        join configuration_skill_level level on level.id = evidence.skill_level_id
        where evidence.student_id = ${id}
          and ${inPeriod(sql`evidence.noted_on`, period)}
        window by_day as (partition by evidence.skill_id order by evidence.noted_on, evidence.id)
        order by evidence.skill_id, evidence.noted_on desc, evidence.id desc) as latest
      order by domain, skill limit ${mostSkills}`.execute(db);
    return {
      asOf: '',
      facts: [],
      table:
        rows.length === 0
          ? null
          : {
              heads: [text`Skill`, text`Level`, text`Since the time before`, text`Times`, text`Last on`],
              rows: rows.map((row) => [
                verbatim([row.domain, row.skill].filter(Boolean).join(': ')),
                verbatim(row.level),
                courseOf(row),
                verbatim(String(row.times)),
                verbatim(showDate(row.day)),
              ]),
            },
      to: '',
      empty: text`No skill was rated in these days. Teachers rate skills in observations.`,
    };
  },
};
