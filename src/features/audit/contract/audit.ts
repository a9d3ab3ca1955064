import * as z from 'zod/mini';
import { admin } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { verbs } from '#kit/contract/audit-verbs.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { because, isRealDate, optionalFreeText, optionalId, unreal } from '#kit/contract/fields.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { text } from '#kit/contract/text.ts';

const day = z._default(z.string().check(z.refine((value) => value === '' || isRealDate(value), because(unreal))), '');
const results = ['', 'done', 'refused'] as const;

/** An empty field does not filter. */
const auditFilter = {
  actor: optionalFreeText(text`User`, 100),
  /** What a member of staff did. */
  staffId: optionalId,
  /** A part of the code of an action. */
  action: optionalFreeText(text`Action`, 100),
  verb: z._default(z.enum(['', ...verbs]), ''),
  /** As the records of a feature are called here: its `auditArea`. */
  area: z._default(optionalFreeText(text`Record`, 60), ''),
  result: z._default(z.enum(results), ''),
  /** Days in the school's time, both inclusive. */
  from: day,
  to: day,
  /** The entries of one record. */
  entity: optionalFreeText(text`Record`, 60),
  entityId: optionalId,
};

const entry = z.object({
  id: z.number(),
  at: z.iso.datetime(),
  actor: z.string(),
  /** The number of the user's own page, where they are a member of staff. */
  staffId: z.nullable(z.number()),
  role: z.string(),
  session: z.nullable(z.number()),
  address: z.string(),
  action: z.string(),
  /** The action's name; an action that is no longer used, by its code. */
  act: anyText,
  entity: z.string(),
  /** The kind of record, and the record's name, or the last one of a deleted record; empty without a name. */
  kind: anyText,
  name: z.string(),
  entityId: z.number(),
  result: z.enum(['done', 'refused']),
  requestId: z.string(),
  details: z.array(z.object({ label: anyText, values: z.array(anyText) })),
  /** It was only read: the page joins such entries of one record. */
  isView: z.boolean(),
});
export type AuditEntry = z.infer<typeof entry>;

const path = '/audit';
const access = [admin()];

export const auditApi = {
  list: endpoint({
    method: 'GET',
    path,
    access,
    input: z.object({ ...auditFilter, before: optionalId }),
    output: z.object({
      rows: z.array(entry),
      next: z.nullable(z.number()),
      /** Every area of the product. */
      areas: z.array(z.string()),
    }),
  }),
  /** At most the newest 10 000 rows; recorded like every export (H1). */
  export: endpoint({
    method: 'GET',
    path: `${path}/export`,
    access,
    isConfirmed: true,
    input: z.object(auditFilter),
    output: servedFile,
  }),
  /** Checks the whole chain of seals, and finds rows without a seal and times that go back (H4). */
  verify: endpoint({
    method: 'POST',
    path: `${path}/verify`,
    access,
    changes: [],
    ownTransactions: true,
    input: z.object({}),
    output: z.object({
      sealed: z.number(),
      /** The first seal that does not fit. */
      brokenAt: z.nullable(z.number()),
      /** How many rows older than a minute have no seal. */
      unsealed: z.number(),
      /** The first row with an earlier time than the row before it. */
      timeBackAt: z.nullable(z.number()),
      head: z.string(),
    }),
  }),
};
