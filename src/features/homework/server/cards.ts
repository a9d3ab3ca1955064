import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { reportCard } from '#features/staff/contract/cards.ts';
import { studentCard } from '#features/student/contract/cards.ts';
import { showDate } from '#kit/contract/day.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { ServedCard } from '#kit/server/context.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { homeworkReaders } from '../contract/words.ts';
import { countsOf, listOfChildren } from './child-homework.ts';

const list = 'homework/homework-list';

/** Own homework that is due and not closed, as the list has it under To check. */
export const ownHomeworkCard: DashboardCard = {
  title: text`My homework`,
  roles: ['Staff'],
  sets: ['classTeacher', 'subjectTeacher'],
  count: async ({ db, now, user }) => {
    const today = toLocalDate(now());
    const { rows } = await sql<{ toCheck: number; upcoming: number }>`
      select count(*) filter (where given.counts_until <= ${today})::integer as "toCheck",
        count(*) filter (where given.counts_until > ${today})::integer as upcoming
      from homework content join homework_section given on given.homework_id = content.id
      where content.owner_id = ${user.staffId} and given.state = 'Published' and given.publish_at <= ${now()}
        and ${inScope(user, homeworkReaders, { branch: sql`given.branch_id`, section: sql`given.section_id` })}`.execute(
      db,
    );
    const [{ toCheck, upcoming } = { toCheck: 0, upcoming: 0 }] = rows;
    return [
      { label: text`Homework to check`, value: toCheck, to: `${list}?mine=Mine` },
      { label: text`Due later`, value: upcoming, to: `${list}?tab=upcoming&mine=Mine` },
    ];
  },
};

/** The month of a child: what was due, and what became of it. */
export const studentHomework: ServedCard = {
  card: studentCard('homework', 'school', 25, text`Homework`, homeworkReaders),
  read: async (ctx, id, { from, to }) => {
    const today = toLocalDate(ctx.now());
    const span = { from: from || `${today.slice(0, 7)}-01`, to: to || addDays(today, 14) };
    const items = await listOfChildren(ctx, [id], span);
    const { given, counts, perMille } = countsOf(id, items);
    const facts: [Text, number][] = [
      [text`Given`, given],
      [text`Submitted`, counts.Submitted],
      [text`Late`, counts.Late],
      [text`Not done`, counts['Not done'] + counts.Incomplete],
      [text`Missing`, counts.Missing],
    ];
    const share: [Text, Text][] =
      perMille === null ? [] : [[text`Share submitted`, verbatim(`${(perMille / 10).toFixed(1)} %`)]];
    return {
      asOf: '',
      facts:
        given === 0
          ? []
          : [...facts.map(([label, value]): [Text, Text] => [label, verbatim(String(value))]), ...share].map(
              ([label, value]) => ({ label, value }),
            ),
      table:
        given === 0
          ? null
          : {
              heads: [text`Due`, text`Subject`, text`Homework`, text`Status`],
              rows: items
                .slice(0, 10)
                .map((item) => [
                  verbatim(showDate(item.dueOn)),
                  verbatim(item.subject),
                  verbatim(item.title),
                  { id: item.status },
                ]),
            },
      to: counts.Missing + counts['Not done'] + counts.Incomplete > 0 ? `${list}/missing/${id}` : '',
      empty: from ? text`No homework in these days.` : text`No homework this month.`,
    };
  },
  today: async (ctx, id) => {
    const today = toLocalDate(ctx.now());
    const items = await listOfChildren(ctx, [id], { from: addDays(today, -30), to: addDays(today, 14) });
    if (items.length === 0) return undefined;
    const open = items.filter(({ dueOn, status }) => dueOn >= today && status === 'Pending');
    const next = open.map(({ dueOn }) => dueOn).toSorted()[0];
    const due = open.filter(({ dueOn }) => dueOn === next).length;
    const { counts } = countsOf(id, items);
    const missing = counts.Missing + counts['Not done'];
    return {
      label: text`Homework`,
      value:
        next === undefined
          ? text`Nothing due`
          : next === today
            ? text`${{ due }} for today`
            : next === addDays(today, 1)
              ? text`${{ due }} for tomorrow`
              : text`${{ due }} for ${{ day: showDate(next) }}`,
      detail: missing > 0 ? text`${{ missing }} not submitted in 30 days` : verbatim(''),
      isLate: missing > 0,
    };
  },
};

/** What a teacher gave in the last 30 days, and why it passed the limit. */
export const staffHomework: ServedCard = {
  card: reportCard('homework', 'school', 20, text`Homework given`),
  read: async ({ db, now }, id, { from, to }) => {
    const today = toLocalDate(now());
    const { rows } = await sql<{ section: string; title: string; dueOn: string; reason: string; minutes: number }>`
      select academic_section_name(grade.name, section.name) as section, content.title, given.due_on::text as "dueOn",
        given.over_reason as reason, content.minutes
      from homework content join homework_section given on given.homework_id = content.id
      join academic_section section on section.id = given.section_id
      join academic_grade grade on grade.id = given.grade_id
      where content.owner_id = ${id} and given.state in ('Published', 'Closed') and given.publish_at <= ${now()}
        and given.assigned_on between ${from || addDays(today, -30)}::date and ${to || today}::date
      order by given.due_on desc, given.id desc`.execute(db);
    const over = rows.filter(({ reason }) => reason !== '');
    return {
      asOf: '',
      facts:
        rows.length === 0
          ? []
          : [
              { label: from ? text`Given` : text`Given in 30 days`, value: verbatim(String(rows.length)) },
              { label: text`Over the limit`, value: verbatim(String(over.length)) },
            ],
      table:
        over.length === 0
          ? null
          : {
              heads: [text`Due`, text`Section`, text`Homework`, text`Minutes`, text`Reason`],
              rows: over
                .slice(0, 10)
                .map(({ dueOn, section, title, minutes, reason }) =>
                  [showDate(dueOn), section, title, String(minutes), reason].map(verbatim),
                ),
            },
      to: '',
      empty: from ? text`No homework in these days.` : text`No homework in 30 days.`,
    };
  },
};
