import { sql } from 'kysely';
import { transportKeepers } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { AppError, type FieldErrors, problemMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { createEntered } from '#kit/server/master/create-all.ts';
import { notFound } from '#kit/server/record/version.ts';
import { mandatoryPapers, vehicleDocumentMaster } from '../contract/masters.ts';
import { fieldsOfPapers, type papersApi } from '../contract/papers.ts';

/** Adds the papers of a vehicle that have a last day. */
export const addPapers: Handler<typeof papersApi.addPapers> = async (ctx, { id, ...draft }) => {
  await ctx.db
    .selectFrom('transport_vehicle as vehicle')
    .where('id', '=', id)
    .where(inScope(ctx.user, transportKeepers, { branch: sql`vehicle.branch_id` }))
    .select('fleet_no')
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  const { rows: present } = await sql<{ kind: string; day: string }>`
    select kind, expires_on::text as day from transport_vehicle_document where vehicle_id = ${id}`.execute(ctx.db);
  const papers = mandatoryPapers.flatMap((kind) => {
    const [number, day] = fieldsOfPapers[kind];
    return draft[day] === '' ? [] : [{ kind, number: draft[number], expiresOn: draft[day] }];
  });
  const problems: FieldErrors = {};
  for (const { kind, expiresOn } of papers)
    if (present.some((one) => one.kind === kind && one.day === expiresOn))
      problems[fieldsOfPapers[kind][1]] = text`This document is entered with this day already.`;
  if (Object.keys(problems).length > 0) throw new AppError('invalid', problemMessage, { fields: problems });
  const added = await createEntered(
    ctx,
    vehicleDocumentMaster,
    papers.map((paper) => ({ ...paper, vehicleId: id })),
    'Documents of a vehicle',
  );
  return { added: added.length };
};
