import type { FastifyInstance } from 'fastify';
import { logoPicture } from '#database/seed/pictures.ts';
import type { SeedPlan } from '#database/seed/plan.ts';
import { departments, drawStaff } from '#database/seed/staff.ts';
import { verbatim } from '#kit/contract/text.ts';
import type { UploadRule } from '#kit/contract/uploads.ts';
import type { Context } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import { saveFile } from '#kit/server/files/files.ts';
import { inspect } from '#kit/server/files/inspect.ts';
import { fileOfBytes } from '#kit/server/files/received-file.ts';

const otherRooms = [
  { name: 'Physics laboratory', kind: 'Laboratory', capacity: 30 },
  { name: 'Chemistry laboratory', kind: 'Laboratory', capacity: 30 },
  { name: 'Computer room', kind: 'Laboratory', capacity: 40 },
  { name: 'Library', kind: 'Library', capacity: 60 },
  { name: 'Assembly hall', kind: 'Hall', capacity: 500 },
  { name: 'Office', kind: 'Office', capacity: 8 },
];

const designations = [
  'Principal',
  'Vice principal',
  'Head of department',
  'Senior teacher',
  'Teacher',
  'Assistant teacher',
  'Librarian',
  'Accountant',
  'Office assistant',
];

/** The school's profile and logo, rooms, departments with their heads, and designations. */
export async function seed(ctx: Context, _app: FastifyInstance, plan: SeedPlan) {
  const { db } = ctx;
  await saveLogo(ctx);
  const staff = await readStaff(ctx, plan);
  await db
    .updateTable('academic_school')
    .set({
      trust_name: 'Sunrise Education Trust',
      address: 'Anand Mahal Road, Adajan, Surat 395009',
      website: 'https://www.sunrise-school.example',
      principal: staff[0]?.name ?? '',
    })
    .execute();
  const branch = await db
    .updateTable('academic_branch')
    .set({ address: 'Anand Mahal Road, Adajan, Surat 395009' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rooms = [...classrooms(plan), ...otherRooms];
  await insertRows(
    db,
    'academic_room',
    rooms.map(({ name, kind, capacity }) => ({
      name,
      kind,
      capacity,
      branch_id: branch.id,
      building: 'Main building',
    })),
  );
  await db
    .insertInto('academic_department')
    .values(
      departments.map(({ name }) => ({ name, staff_id: staff.find(({ department }) => department === name)?.id })),
    )
    .execute();
  await db
    .insertInto('academic_designation')
    .values(designations.map((name, index) => ({ name, level: index + 1 })))
    .execute();
}

/** The staff with the ids that they have here. */
async function readStaff({ db }: Context, plan: SeedPlan) {
  const rows = await db.selectFrom('staff').select(['id', 'email']).execute();
  const idOf = new Map(rows.map(({ id, email }) => [email, id]));
  return drawStaff(plan).map((member) => ({ ...member, id: idOf.get(member.email) }));
}

const perFloor = 12;

/** A room for each section: 101 to 112, 201 to 212, … */
const classrooms = ({ sections }: SeedPlan) =>
  Array.from({ length: sections }, (_, index) => ({
    name: String((Math.floor(index / perFloor) + 1) * 100 + (index % perFloor) + 1),
    kind: 'Classroom',
    capacity: 40,
  }));

export async function saveLogo(ctx: Context) {
  const unused = verbatim('');
  const rule: UploadRule = { label: unused, kinds: ['png'], maxBytes: 1_000_000, wrongType: unused, tooLarge: unused };
  const bytes = await logoPicture();
  const logo = await inspect('logo', rule, { file: fileOfBytes('logo.png', bytes), caller: ctx.caller });
  const id = await saveFile(ctx, { table: 'academic_school', id: 1 }, 'logo', logo);
  await ctx.db.updateTable('academic_school').set({ logo_id: id }).where('id', '=', 1).execute();
}
