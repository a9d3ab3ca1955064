import { type SqlBool, sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { findByWords, mobilePart, type SearchGroup } from '#kit/server/search.ts';
import { hasLeft, isPostOfDay, isSpellOfDay } from './standing.ts';
import { isKept, isVisible } from './visible.ts';

const leastDigits = 4;

/** Staff find each other; a mobile number and people who have left are found by those who keep the record. */
export const staffSearch: SearchGroup = {
  kind: 'staff',
  title: text`Staff`,
  find: async ({ db, user, now }: UserContext, search, most) => {
    const today = toLocalDate(now());
    const digits = mobilePart(search, leastDigits);
    const hasMobile = digits
      ? sql<SqlBool>`(staff.mobile like ${`%${digits}%`} and ${isKept(user, today)})`
      : sql<SqlBool>`false`;
    const query = db
      .selectFrom('staff')
      .innerJoin('staff_employment as spell', (join) =>
        join.onRef('spell.staff_id', '=', 'staff.id').on(isSpellOfDay(today)),
      )
      .where(isVisible(user, today))
      .select(['staff.id', 'staff.name', 'spell.last_day', hasLeft(today).as('has_left')])
      .select(sql<string | null>`case when ${hasMobile} then right(staff.mobile, 4) end`.as('digits'))
      // Read for the hits alone, after they are ordered.
      .select(({ selectFrom }) =>
        selectFrom('staff_post as post')
          .innerJoin('academic_designation as designation', 'designation.id', 'post.designation_id')
          .innerJoin('academic_department as department', 'department.id', 'post.department_id')
          .whereRef('post.staff_id', '=', 'staff.id')
          .where(isPostOfDay(today))
          .select(sql<string>`designation.name || ' · ' || department.name`.as('post'))
          .as('post'),
      );
    const rows = await findByWords(query, {
      table: 'staff',
      search,
      most,
      name: sql`staff.name`,
      also: hasMobile,
      sort: [sql`${hasLeft(today)}`, sql`lower(staff.name)`, sql`staff.id`],
    });
    return rows.map(({ id, name, post, digits, has_left, last_day, closeness }) => ({
      id,
      title: name,
      detail: [post, digits && `••••••${digits}`].filter(Boolean).join(' · '),
      ...(has_left && last_day && { note: text`Left on ${{ day: showDate(last_day) }}` }),
      to: `staff/view-staff/${id}`,
      closeness,
    }));
  },
};
