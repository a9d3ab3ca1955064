import { sql } from 'kysely';
import { staffNames } from '#access/contract/staff-names.ts';
import { pictureOf } from '#access/server/picture.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { readFile, removeFile, saveFile } from '#kit/server/files/files.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { readPeople } from '#kit/server/master/options.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { noPicture, staffApi } from '../contract/staff.ts';
import { isPostOfDay } from './standing.ts';
import { seeStaff, seeWholeStaff } from './visible.ts';

const options: Handler<typeof staffApi.options> = ({ db, now }, input) =>
  readPeople(db, staffNames, input, numberAndPost(toLocalDate(now())));

/** "EMP0012 · Head of department" for the row `own` of a person. */
const numberAndPost = (day: string) => sql<string>`(
  select concat_ws(' · ', nullif(staff.employee_number, ''), designation.name)
  from staff
  left join staff_post post on post.staff_id = staff.id and ${isPostOfDay(day)}
  left join academic_designation designation on designation.id = post.designation_id
  where staff.id = own.id)`;

const savePicture: Handler<typeof staffApi.savePicture> = async (ctx, { id }) => {
  await seeWholeStaff(ctx, id);
  const { picture } = ctx.uploads;
  if (!picture) throw fieldRefusal('picture', noPicture);
  const before = await lockPicture(ctx, id);
  const saved = await saveFile(ctx, { table: 'staff', id }, 'picture', picture);
  await setPicture(ctx, id, saved);
  await removeFile(ctx, before);
  await audit(ctx, { action: 'staff.picture-saved', entity: 'staff', entityId: id });
  return { picture: pictureOf(saved) };
};

const removePicture: Handler<typeof staffApi.removePicture> = async (ctx, { id }) => {
  await seeWholeStaff(ctx, id);
  const before = await lockPicture(ctx, id);
  if (!before) throw new AppError('not_found', notFoundMessage);
  await setPicture(ctx, id, null);
  await removeFile(ctx, before);
  await audit(ctx, { action: 'staff.picture-removed', entity: 'staff', entityId: id });
  return {};
};

async function lockPicture({ db }: UserContext, id: number) {
  const { picture_id } = await db
    .selectFrom('staff')
    .where('id', '=', id)
    .select('picture_id')
    .forUpdate()
    .executeTakeFirstOrThrow();
  return picture_id;
}

const setPicture = ({ db }: UserContext, id: number, picture_id: string | null) =>
  db.updateTable('staff').set({ picture_id, version: sql`version + 1` }).where('id', '=', id).execute();

/** Visible to everyone who may see the person's page. */
const picture: Handler<typeof staffApi.picture> = async (ctx, { id }) => {
  const owner = await ctx.db
    .selectFrom('staff')
    .where('picture_id', '=', id)
    .select('id')
    .executeTakeFirstOrThrow(notFound);
  await seeStaff(ctx, owner.id);
  return readFile(ctx, { table: 'staff', id: owner.id }, id);
};

export const profileRoutes = routes(staffApi, { options, savePicture, removePicture, picture });
