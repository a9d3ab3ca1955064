import { type Insertable, sql } from 'kysely';
import type { Audit } from '#database/types.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';

export interface Act {
  /** The actor, if not the signed-in user: "Parent" for a link holder, "Nobody" for a refused caller. */
  actor?: string;
  /** The act, such as "admission.basic-info.saved". */
  action: string;
  entity: string;
  entityId: number;
  /** Refused requests are audited too (H1). */
  result?: 'done' | 'refused';
  /** The version of the row after the act, where rows have versions. */
  version?: number;
  /** Never a secret, a link, an Aadhaar number or a health answer. */
  details?: Record<string, string | number | boolean>;
}

type Acting = Pick<Context, 'db' | 'requestId' | 'address'> & Partial<Pick<UserContext, 'user'>>;

/**
 * Writes the audit row of an act in the same transaction, so that neither exists without the other (H3). Returns its
 * id.
 */
export async function audit(ctx: Acting, act: Act): Promise<number> {
  const { id } = await ctx.db.insertInto('audit').values(rowOf(ctx, act)).returning('id').executeTakeFirstOrThrow();
  return Number(id);
}

/** As `audit`, for many acts of one request. */
export const auditAll = (ctx: Acting, acts: readonly Act[]): Promise<void> =>
  insertRows(
    ctx.db,
    'audit',
    acts.map((act) => ({ ...rowOf(ctx, act), details: act.details ?? {} })),
  );

/** As `audit`, for one act on several rows; the statement is the same for any number, even none. */
export async function auditEach(ctx: Acting, act: Omit<Act, 'entityId'>, entityIds: readonly number[]) {
  const row = { ...rowOf(ctx, { ...act, entityId: 0 }), details: act.details ?? {} };
  await sql`
    insert into audit (actor, account_id, role, session, action, entity, entity_id, version, result, request_id, address, details)
    select act.actor, act.account_id, act.role, act.session, act.action, act.entity, acted_on,
      act.version, act.result, act.request_id, act.address, act.details
    from unnest(${entityIds}::integer[]) as acted_on, jsonb_populate_record(null::audit, ${JSON.stringify(row)}::jsonb) as act
  `.execute(ctx.db);
}

function rowOf({ user, requestId, address }: Acting, act: Act): Insertable<Audit> {
  const { actor, action, entity, entityId, version, result = 'done', details = {} } = act;
  return {
    actor: actor ?? user?.name ?? 'Nobody',
    account_id: user?.id ?? null,
    role: user?.role ?? null,
    session: user?.session ?? null,
    action,
    entity,
    entity_id: entityId,
    version: version ?? null,
    result,
    request_id: requestId,
    address,
    details: JSON.stringify(details),
  };
}
