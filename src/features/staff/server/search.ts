import { type SqlBool, sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { findByWords, type SearchGroup } from '#kit/server/search.ts';
import { staffKeepers } from '../contract/record.ts';
import { isKeeper, reaches } from './visible.ts';

/** Staff find each other; only the keepers of a record find it by mobile number, or when the person has left. */
export const staffSearch: SearchGroup = {
  kind: 'staff',
  title: text`Staff`,
  find: async ({ db, user, now }: UserContext, search, most) => {
    const today = toLocalDate(now());
    const lastDigits = isKeeper(user) ? mobileDigits(search) : '';
    const isKept = reaches(user, staffKeepers, sql`staff.id`, today);
    const isThere = sql<boolean>`exists (select from staff_employment spell
      where spell.staff_id = staff.id and coalesce(spell.last_day, 'infinity') >= ${today})`;
    const query = db
      .selectFrom('staff')
      .leftJoin('staff_post as post', (join) =>
        join
          .onRef('post.staff_id', '=', 'staff.id')
          .on('post.effective_from', '<=', today)
          .on(sql<SqlBool>`coalesce(post.effective_to, 'infinity') >= ${today}`),
      )
      .leftJoin('academic_designation as designation', 'designation.id', 'post.designation_id')
      .leftJoin('academic_department as department', 'department.id', 'post.department_id')
      .select(['staff.id', 'staff.name', 'staff.mobile'])
      .select(['designation.name as designation', 'department.name as department'])
      .select([isThere.as('is_there'), isKept.as('is_kept')])
      .select(({ selectFrom }) =>
        selectFrom('staff_employment as spell')
          .whereRef('spell.staff_id', '=', 'staff.id')
          .select(({ fn }) => fn.max('spell.last_day').as('last_day'))
          .as('last_day'),
      )
      .where(sql<boolean>`(${isThere} or ${isKept})`);
    const rows = await findByWords(query, {
      search,
      most,
      ...(lastDigits && { also: sql<SqlBool>`staff.mobile like ${`%${lastDigits}`} and ${isKept}` }),
      sort: [sql`${isThere} desc`, sql`lower(staff.name)`, sql`staff.id`],
    });
    return rows.map(({ id, name, mobile, designation, department, is_there, is_kept, last_day }) => {
      const isByMobile = is_kept && lastDigits !== '' && mobile?.endsWith(lastDigits);
      const masked = isByMobile ? `••••••${mobile?.slice(-4)}` : null;
      return {
        id,
        title: name,
        detail: [designation, department, masked].filter(Boolean).join(' · '),
        ...(!is_there && last_day && { note: text`Left on ${{ day: showDate(last_day) }}` }),
        to: `staff/view-staff/${id}`,
      };
    });
  },
};

const leastDigits = 4;

/** The digits of a mobile number or of its end, without the country's code; '' for any other text. */
function mobileDigits(typed: string): string {
  const digits = typed.replace(/[\s+-]/g, '');
  return /^[0-9]+$/.test(digits) && digits.length >= leastDigits ? digits.replace(/^(?:0|91)(?=[0-9]{10}$)/, '') : '';
}
