import type { FastifyInstance } from 'fastify';
import { demoPeople } from '#database/seed/demo-people.ts';
import type { SeedPlan } from '#database/seed/plan.ts';
import { type Department, drawStaff } from '#database/seed/staff.ts';
import type { Context } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import type { Database } from '#kit/server/database/database.ts';

/** What the demo's users work as, in their order. */
const demoPosts: { designation: string; department: Department }[] = [
  { designation: 'Office assistant', department: 'Administration' },
  { designation: 'Vice principal', department: 'Administration' },
  { designation: 'Teacher', department: 'Languages' },
  { designation: 'Accountant', department: 'Accounts' },
  { designation: 'Office assistant', department: 'Front office' },
];

/** What the staff work as, since they joined. */
export async function seed({ db }: Context, _app: FastifyInstance, plan: SeedPlan) {
  const random = plan.random('posts');
  const seen = new Set<Department>();
  const drawn = drawStaff(plan).map(({ email, department }) => {
    const isFirst = !seen.has(department);
    seen.add(department);
    return { email, department, designation: designationIn(department, isFirst) ?? random.oneOf(teachers) };
  });
  const posts = [...demoPosts.map((post, index) => ({ ...post, email: demoPeople[index]?.email })), ...drawn];

  const joined = await db
    .selectFrom('staff')
    .innerJoin('staff_employment as employment', 'employment.staff_id', 'staff.id')
    .select(['staff.id', 'staff.email', 'employment.joined_on'])
    .execute();
  const staffOf = new Map(joined.map((row) => [row.email, row]));
  const ids = {
    designation: await idsOf(db, 'academic_designation'),
    department: await idsOf(db, 'academic_department'),
    category: await idsOf(db, 'hris_staff_category'),
    terms: await idsOf(db, 'hris_employment_type'),
  };
  const branch = await db.selectFrom('academic_branch').select('id').orderBy('id').executeTakeFirstOrThrow();
  await insertRows(
    db,
    'staff_post',
    posts.flatMap(({ email, designation, department }) => {
      const person = staffOf.get(email ?? null);
      if (!person) return [];
      return {
        staff_id: person.id,
        effective_from: person.joined_on,
        designation_id: ids.designation.get(designation) ?? 0,
        department_id: ids.department.get(department) ?? 0,
        branch_id: branch.id,
        staff_category_id: ids.category.get(categoryIn(department)) ?? null,
        employment_type_id: ids.terms.get(random.isOnceIn(8) ? 'Contract' : 'Permanent') ?? null,
      };
    }),
  );
}

const teachers = ['Senior teacher', 'Teacher', 'Teacher', 'Assistant teacher'] as const;

/** The designation where the department gives it. */
function designationIn(department: Department, isFirst: boolean): string | undefined {
  if (department === 'Administration') return isFirst ? 'Principal' : 'Vice principal';
  if (department === 'Library') return 'Librarian';
  if (department === 'Accounts') return 'Accountant';
  if (department === 'Front office') return 'Office assistant';
  return isFirst ? 'Head of department' : undefined;
}

function categoryIn(department: Department): string {
  if (department === 'Library') return 'Laboratory and library';
  return ['Administration', 'Accounts', 'Front office'].includes(department) ? 'Office' : 'Teacher';
}

type Named = 'academic_designation' | 'academic_department' | 'hris_staff_category' | 'hris_employment_type';

async function idsOf(db: Database, table: Named): Promise<Map<string, number>> {
  const rows = await db.selectFrom(table).select(['id', 'name']).execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}
