import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import type { TodoSource } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { homeworkReaders } from '../contract/words.ts';
import { isUnchecked } from './list.ts';
import { countResults } from './roster.ts';

const list = 'homework/homework-list';

interface Waiting {
  id: number;
  title: string;
  section: string;
  dueOn: string;
  total: number;
}

/** Own homework that is due and has students without a result, the earliest due day first. */
export const checkTodo: TodoSource = {
  kind: 'homework',
  title: text`Homework to check`,
  icon: 'book',
  roles: ['Staff'],
  sets: ['classTeacher', 'subjectTeacher'],
  find: async (ctx, most) => {
    const { db, now, user } = ctx;
    const today = toLocalDate(now());
    const { rows } = await sql<Waiting>`
      select given.id, content.title, academic_section_name(grade.name, section.name) as section,
        given.counts_until::text as "dueOn", (count(*) over ())::integer as total
      from homework content join homework_section given on given.homework_id = content.id
      join academic_section section on section.id = given.section_id
      join academic_grade grade on grade.id = given.grade_id
      where content.owner_id = ${user.staffId} and given.state = 'Published' and given.publish_at <= ${now()}
        and given.counts_until <= ${today}::date and ${isUnchecked}
        and ${inScope(user, homeworkReaders, { branch: sql`given.branch_id`, section: sql`given.section_id` })}
      order by given.counts_until, given.id limit ${most}`.execute(db);
    const counts = await countResults(
      ctx,
      rows.map(({ id }) => id),
    );
    return {
      total: rows[0]?.total ?? 0,
      to: `${list}?mine=Mine&unchecked=Not+all+checked`,
      rows: rows.map(({ id, title, section, dueOn }) => {
        const { total = 0, checked = 0 } = counts.get(id) ?? {};
        return {
          id,
          when: dueOn < today ? ('late' as const) : ('today' as const),
          title,
          about: section,
          detail: text`Due ${{ day: showDate(dueOn, today) }}, ${{ checked }} of ${{ total }} checked`,
          to: `${list}/${id}`,
          act: text`Check`,
        };
      }),
    };
  },
};
