import type { Insertable } from 'kysely';
import type { Audit } from '#database/types.ts';
import type { Context, UserContext } from './context.ts';
import { prepared } from './database.ts';

interface Act {
  /** Who did it, if not who is signed in: "Parent" for the holder of a link, "Nobody" for who did not get in. */
  actor?: string;
  /** What was done, as "admission.basic-info.saved". */
  action: string;
  entity: string;
  entityId: number;
  /** What was asked for and not allowed is written down too (H1). */
  result?: 'done' | 'refused';
  /** The version of the row the act made, where rows have versions. */
  version?: number;
  /** Never a secret, a link, an Aadhaar number or a health answer. */
  details?: Record<string, string | number | boolean>;
}

type Acting = Pick<Context, 'db' | 'requestId' | 'address'> & Partial<Pick<UserContext, 'user'>>;

/** Writes the audit row of an act in the same transaction, so that neither exists without the other (H3). */
export async function audit(ctx: Acting, act: Act) {
  const { actor, action, entity, entityId, version, result = 'done', details = {} } = act;
  const { user } = ctx;
  await insertAudit(ctx.db, {
    actor: actor ?? user?.name ?? 'Nobody',
    account_id: user?.id ?? null,
    role: user?.role ?? null,
    session: user?.session ?? null,
    action,
    entity,
    entity_id: entityId,
    version: version ?? null,
    result,
    request_id: ctx.requestId,
    address: ctx.address,
    details: JSON.stringify(details),
  });
}

const insertAudit = prepared((db, row: Insertable<Audit>) => db.insertInto('audit').values(row));
