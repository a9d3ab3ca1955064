import { sql } from 'kysely';
import { childrenOf } from '#features/family/api.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { familyFileApi } from '../contract/family.ts';
import { readOwnFile } from './files.ts';

/** A file of published homework of one of the guardian's children. */
const file: Handler<typeof familyFileApi.file> = async (ctx, { id, file }) => {
  const children = await childrenOf(ctx, ctx.holder.id, toLocalDate(ctx.now()));
  const { rows } = await sql`
    select from homework_section given cross join lateral homework_roster(array[given.id]) roster
    where given.id = ${id} and given.state in ('Published', 'Closed') and given.publish_at <= ${ctx.now()}
      and roster.standing <> 'Not on the list'
      and roster.student_id = any(${children.map(({ studentId }) => studentId)}::integer[]) limit 1`.execute(ctx.db);
  if (rows.length === 0) throw new AppError('not_found', notFoundMessage);
  return readOwnFile(ctx, id, file);
};

export const familyFileRoutes = routes(familyFileApi, { file });
