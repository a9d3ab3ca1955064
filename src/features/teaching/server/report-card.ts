import { sql } from 'kysely';
import { reportCard, reportReaders } from '#features/staff/contract/cards.ts';
import { showDate } from '#kit/contract/day.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { EventSource, ServedCard } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { touchesPeriod } from '#kit/server/period.ts';

/** The assignments to one section in the same days. */
interface Assigned {
  section: string;
  leads: string | null;
  subjects: string | null;
  periods: number | null;
  /** '' from the first day of the year. */
  from: string;
  until: string | null;
  isLast: boolean;
}

const mostRows = 10;

/** "Class teacher · Maths, EVS". */
function wordsOf({ leads, subjects }: Assigned): Text {
  if (!leads) return verbatim(subjects ?? '');
  const role: Text = { id: leads };
  return subjects ? text`${{ role }} · ${{ subjects }}` : role;
}

/** The sections and subjects of a member of staff within a period, a line a section, and the load of its last day. */
export const teachingCard: ServedCard = {
  card: reportCard('teaching', 'school', 10, text`Teaches`),
  read: async ({ db, now }, id, period) => {
    const { from, to } = period;
    const today = toLocalDate(now());
    const last = to === '' || (from <= today && today < to) ? today : to;
    const { rows } = await sql<Assigned>`
      select academic_section_name(grade.name, section.name) as section,
        min(own.role) filter (where own.subject_id is null) as leads,
        string_agg(subject.name, ', ' order by lower(subject.name)) as subjects,
        sum(own.periods_per_week)::integer as periods, case when own.effective_from > year.starts_on then own.effective_from::text else '' end as from,
        own.effective_to::text as until,
        ${last}::date between own.effective_from and coalesce(own.effective_to, year.ends_on) as "isLast"
      from academic_section_teacher own
      join academic_year year on year.id = own.academic_year_id
      join academic_section section on section.id = own.section_id
      join academic_grade grade on grade.id = section.grade_id
      left join configuration_subject subject on subject.id = own.subject_id
      where own.staff_id = ${id}
        and ${touchesPeriod(sql`own.effective_from`, sql`coalesce(own.effective_to, year.ends_on)`, period)}
      group by section.id, grade.id, year.id, own.effective_from, own.effective_to
      order by "isLast" desc, min(own.role) filter (where own.subject_id is null), grade.position, lower(section.name),
        own.effective_from`.execute(db);
    const held = rows.filter(({ isLast }) => isLast);
    const periods = held.reduce((sum, row) => sum + (row.periods ?? 0), 0);
    const sections = new Set(held.map(({ section }) => section)).size;
    return {
      asOf: rows.length === 0 ? '' : last,
      facts:
        rows.length === 0
          ? []
          : [
              { label: text`Sections`, value: verbatim(String(sections)) },
              ...(periods > 0 ? [{ label: text`Periods a week`, value: verbatim(String(periods)) }] : []),
            ],
      table:
        rows.length === 0
          ? null
          : {
              heads: [text`Section`, text`As`, text`Periods`, text`From`, text`Until`],
              rows: rows
                .slice(0, mostRows)
                .map((row) => [
                  verbatim(row.section),
                  wordsOf(row),
                  verbatim(String(row.periods ?? '')),
                  verbatim(row.from && showDate(row.from)),
                  verbatim(row.until ? showDate(row.until) : ''),
                ]),
            },
      to: '',
      empty: text`No sections in these days.`,
    };
  },
  today: async ({ db, now }, id) => {
    const { rows } = await sql<{ periods: number; sections: number; led: string | null }>`
      select coalesce(sum(own.periods_per_week), 0)::integer as periods, count(distinct own.section_id)::integer as sections,
        min(academic_section_name(grade.name, section.name)) filter (where own.role = 'Class teacher') as led
      from academic_section_teacher own
      join academic_year year on year.id = own.academic_year_id
      join academic_section section on section.id = own.section_id
      join academic_grade grade on grade.id = section.grade_id
      where own.staff_id = ${id}
        and ${toLocalDate(now())}::date between own.effective_from and coalesce(own.effective_to, year.ends_on)`.execute(
      db,
    );
    const { periods, sections, led } = rows[0] ?? { periods: 0, sections: 0, led: null };
    if (sections === 0) return undefined;
    return {
      label: text`Teaches`,
      value:
        periods > 0
          ? text({ message: '{periods, plural, one {# period a week} other {# periods a week}}' }, { periods })
          : text({ message: '{sections, plural, one {# section} other {# sections}}' }, { sections }),
      detail: led ? text`Class teacher of ${{ led }}` : verbatim(''),
      isLate: false,
    };
  },
};

export const teachingEvents: EventSource = {
  record: 'staff',
  kind: 'teaching',
  title: text`Sections`,
  access: reportReaders,
  isOwn: true,
  find: async ({ db }, id, { from, to, most, isAfter }) => {
    const { rows } = await sql<{ id: number; day: string; section: string; role: string; subject: string | null }>`
      select own.effective_from::text as day, own.id, own.role, subject.name as subject,
        academic_section_name(grade.name, section.name) as section
      from academic_section_teacher own
      join academic_section section on section.id = own.section_id
      join academic_grade grade on grade.id = section.grade_id
      left join configuration_subject subject on subject.id = own.subject_id
      where own.staff_id = ${id} and own.effective_from between ${from}::date and ${to}::date
        and ${isAfter(sql`own.effective_from`, sql`own.id`)}
      order by own.effective_from desc, own.id desc limit ${most}`.execute(db);
    return rows.map(({ section, role, subject, ...row }) => ({
      ...row,
      what: text`Assigned to ${{ section }}`,
      detail: subject ?? role,
    }));
  },
};
