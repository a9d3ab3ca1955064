import type { Context } from './context.ts';

interface Act {
  /** Who did it: a staff account, or "Parent" for the holder of a link. */
  actor: string;
  /** What was done, as "admission.basic-info.saved". */
  action: string;
  entity: string;
  entityId: number;
  /** The version of the row the act made, where rows have versions. */
  version?: number;
  /** Never a secret, a link, an Aadhaar number or a health answer. */
  details?: Record<string, string | number | boolean>;
}

/** Writes the audit row of an act in the same transaction, so that neither exists without the other (H3). */
export async function audit(ctx: Context, { actor, action, entity, entityId, version, details = {} }: Act) {
  await ctx.db
    .insertInto('audit')
    .values({
      actor,
      action,
      entity,
      entity_id: entityId,
      version: version ?? null,
      request_id: ctx.requestId,
      address: ctx.address,
      details: JSON.stringify(details),
    })
    .execute();
}
