import { sql } from 'kysely';
import { transportReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { noFile } from '#kit/contract/documents.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { readReferredFile, removeFile, saveFile } from '#kit/server/files/files.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import type { fleetApi } from '../contract/fleet.ts';

const papersOf = ({ db, user }: UserContext, id: number) =>
  db
    .selectFrom('transport_vehicle_document as own')
    .innerJoin('transport_vehicle as vehicle', 'vehicle.id', 'own.vehicle_id')
    .leftJoin('file', 'file.id', 'own.file_id')
    .where('own.id', '=', id)
    .where(inScope(user, transportReaders, { branch: sql`vehicle.branch_id` }))
    .select(['own.vehicle_id', 'own.kind', 'own.version', 'own.file_id', 'vehicle.fleet_no'])
    .select(['file.name', 'file.stored_at']);

async function find(ctx: UserContext, id: number, locks = false) {
  return papersOf(ctx, id)
    .$if(locks, (query) => query.forUpdate('own'))
    .executeTakeFirstOrThrow(notFound);
}

const note = (
  ctx: UserContext,
  act: string,
  id: number,
  { kind, fleet_no, version }: Awaited<ReturnType<typeof find>>,
) =>
  audit(ctx, {
    action: `transport-paper.${act}`,
    entity: 'transport_vehicle_document',
    entityId: id,
    version,
    details: { Document: kind, Vehicle: fleet_no },
  });

export const paper: Handler<typeof fleetApi.paper> = async (ctx, { id }) => {
  const { name, stored_at } = await find(ctx, id);
  return { name: name ?? '', storedAt: stored_at?.toISOString() ?? '' };
};

export const attachPaper: Handler<typeof fleetApi.attachPaper> = async (ctx, { id }) => {
  const found = await find(ctx, id, true);
  const { file } = ctx.uploads;
  if (!file) throw fieldRefusal('file', noFile);
  const owner = {
    table: 'transport_vehicle',
    id: found.vehicle_id,
    tooMany: text`This vehicle has too many files. Remove a document that is out of date.`,
  };
  const file_id = await saveFile(ctx, owner, 'file', file);
  await ctx.db
    .updateTable('transport_vehicle_document')
    .set({ file_id, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
  await removeFile(ctx, found.file_id);
  await note(ctx, 'attached', id, { ...found, version: found.version + 1 });
  return {};
};

export const viewPaper: Handler<typeof fleetApi.viewPaper> = async (ctx, { id }) => {
  const found = await find(ctx, id);
  if (found.file_id === null) throw new AppError('not_found', notFoundMessage);
  await note(ctx, 'viewed', id, found);
  return readReferredFile(ctx, found.file_id);
};
