import { sql } from 'kysely';
import { AppError, notFoundMessage, staleMessage } from '#kit/contract/errors.ts';
import { ask } from '#kit/server/hook.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { closingHook } from '../contract/hooks.ts';
import { type AcademicYear, yearApi } from '../contract/year.ts';

const list: Handler<typeof yearApi.list> = async ({ db }) => {
  const rows = await db
    .selectFrom('academic_year')
    .where('is_active', '=', true)
    .select(['id', 'name', 'status', 'starts_on as startsOn', 'ends_on as endsOn'])
    .orderBy('starts_on', 'desc')
    .execute();
  return rows as AcademicYear[];
};

const closing: Handler<typeof yearApi.closing> = async (ctx, { id }) => {
  const years = await ctx.db
    .selectFrom('academic_year')
    .where((eb) => eb.or([eb('id', '=', id), eb('status', '=', 'Current')]))
    .select(['id', 'starts_on', 'status'])
    .execute();
  const next = years.find((year) => year.id === id);
  if (!next) throw new AppError('not_found', notFoundMessage);
  const before = years.find(({ starts_on, status }) => status === 'Current' && starts_on < next.starts_on);
  const answers = before ? await ask(ctx, closingHook, { yearId: before.id }) : [];
  return { unfinished: answers.flatMap(({ output }) => output) };
};

const makeCurrent: Handler<typeof yearApi.makeCurrent> = async (ctx, { id, version }) => {
  // All years are locked, so that two requests at once run one after the other.
  const years = await ctx.db
    .selectFrom('academic_year')
    .select(['id', 'name', 'starts_on', 'status', 'is_active', 'version'])
    .orderBy('id')
    .forUpdate()
    .execute();
  const [year, before] = [years.find((one) => one.id === id), years.find(({ status }) => status === 'Current')];
  if (!year) throw new AppError('not_found', notFoundMessage);
  requireVersion(year, version);
  if (year === before) return {};
  if (!year.is_active) throw new AppError('conflict', staleMessage);

  const changes = [
    ...(before ? [{ ...before, to: before.starts_on < year.starts_on ? 'Closed' : 'Planned' }] : []),
    { ...year, to: 'Current' },
  ];
  for (const { id: entityId, status, to, version: was } of changes) {
    await ctx.db
      .updateTable('academic_year')
      .set({ status: to, version: sql`version + 1` })
      .where('id', '=', entityId)
      .execute();
    const details = { Status: `${status} → ${to}` };
    const act = { action: 'academic-year.changed', entity: 'academic_year', entityId, version: was + 1, details };
    await audit(ctx, act);
  }
  return {};
};

export default routes(yearApi, { list, closing, makeCurrent });
