import { logoPicture } from '#database/seed/pictures.ts';
import type { Context } from '#kit/server/context.ts';
import { saveFile } from '#kit/server/files/files.ts';
import { inspect } from '#kit/server/files/inspect.ts';
import { fileOfBytes } from '#kit/server/files/received-file.ts';

const rooms = [
  ...['101', '102', '103', '201', '202', '203'].map((name) => ({ name, kind: 'Classroom', capacity: 30 })),
  { name: 'Science laboratory', kind: 'Laboratory', capacity: 24 },
  { name: 'Library', kind: 'Library', capacity: 40 },
];

const departments = ['Primary', 'Languages', 'Accounts', 'Front office'];
const designations = ['Principal', 'Head of department', 'Teacher', 'Office assistant'];

/** The school's logo, rooms, departments and designations. */
export async function seed(ctx: Context) {
  const { db } = ctx;
  await saveLogo(ctx);
  const branch = await db.selectFrom('academic_branch').select('id').executeTakeFirstOrThrow();
  await db
    .insertInto('academic_room')
    .values(rooms.map((room) => ({ ...room, branch_id: branch.id, building: 'Main building' })))
    .execute();
  await db
    .insertInto('academic_department')
    .values(departments.map((name) => ({ name })))
    .execute();
  await db
    .insertInto('academic_designation')
    .values(designations.map((name, index) => ({ name, level: index + 1 })))
    .execute();
}

async function saveLogo(ctx: Context) {
  const rule = { label: 'Logo', kinds: ['png'], maxBytes: 1_000_000, wrongType: '', tooLarge: '' } as const;
  const bytes = await logoPicture();
  const logo = await inspect('logo', rule, { file: fileOfBytes('logo.png', bytes), asker: ctx.asker });
  const id = await saveFile(ctx, { table: 'academic_school', id: 1 }, 'logo', logo);
  await ctx.db.updateTable('academic_school').set({ logo_id: id }).where('id', '=', 1).execute();
}
