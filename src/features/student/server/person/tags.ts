import { studentReaders } from '#access/contract/grants.ts';
import { offeredTags, readTags, setTags } from '#features/tag/api.ts';
import { AppError, staleMessage } from '#kit/contract/errors.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { studentTagApi, tagKeepers } from '../../contract/tags.ts';
import { isSeen, requireStudent, studentsSeen } from '../visible.ts';

const tags: Handler<typeof studentTagApi.tags> = async (ctx, { id }) => {
  const seen = await studentsSeen(ctx, studentReaders)
    .where('student.id', '=', id)
    .select(isSeen(ctx.user, tagKeepers).as('keeps'))
    .executeTakeFirstOrThrow(notFound);
  const own = (await readTags(ctx, 'Student', [id])).get(id) ?? [];
  return { tags: own, offered: seen.keeps ? await offeredTags(ctx, 'Student') : [] };
};

const saveTags: Handler<typeof studentTagApi.saveTags> = async (ctx, { id, before, tags }) => {
  await requireStudent(ctx, id, tagKeepers);
  await ctx.db.selectFrom('student').where('id', '=', id).select('id').forUpdate().execute();
  const now = ((await readTags(ctx, 'Student', [id])).get(id) ?? []).map((tag) => tag.id);
  if (now.length !== before.length || now.some((one) => !before.includes(one)))
    throw new AppError('stale', staleMessage);
  await setTags(ctx, 'Student', id, tags);
  return {};
};

export const studentTagRoutes = routes(studentTagApi, { tags, saveTags });
