import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { text, verbatim } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { csvFile } from '#kit/server/csv-file.ts';
import { localTimeZone } from '#kit/server/day.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { mapRows } from '#kit/server/map-rows.ts';
import { audit } from '#kit/server/security/audit.ts';
import { isIntact, verifyAudit } from '#kit/server/security/audit-seal.ts';
import type { AuditDetail } from '#kit/server/security/audit-words.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import { auditApi } from './contract/audit.ts';
import { auditPages } from './contract/pages.ts';

const pageSize = 50;
const mostExported = 10_000;

type Filter = z.output<(typeof auditApi)['export']['input']>;

const startOf = (day: string, options = 0) =>
  sql<Date>`(${day}::date + ${options}::integer)::timestamp at time zone ${localTimeZone}`;

/** The member of staff who acted. A row about their own account from before their session names the account. */
const staffOf = sql<number | null>`(
  select staff.id from sign_in_account as account join staff on staff.id = account.staff_id
  where account.id = audit.account_id
    or (audit.account_id is null and audit.entity = 'sign_in_account' and account.id = audit.entity_id
      and staff.name = audit.actor))`;

/** The codes of the words for which something is true. */
const codesWhere = <Words>(all: Readonly<Record<string, Words>>, isWanted: (words: Words) => boolean) =>
  Object.keys(all).filter((code) => all[code] !== undefined && isWanted(all[code]));

function entries(
  { db, auditWords }: Context,
  { actor, staffId, action, verb, area, result, from, to, entity, entityId }: Filter,
) {
  let query = db
    .selectFrom('audit')
    .select([
      'id',
      'at',
      'actor',
      'role',
      'session',
      sql<string | null>`host(address)`.as('address'),
      staffOf.as('staff_id'),
      'action',
      'entity',
      'entity_id',
      'result',
      'request_id',
      'details',
    ]);
  if (actor !== '') query = query.where('actor', 'ilike', contains(actor));
  if (staffId !== null) {
    // A sign-in is recorded before a session exists: its row names the account as its record.
    const accounts = sql`(select id from sign_in_account where staff_id = ${staffId})`;
    query = query.where(
      sql<boolean>`(account_id in ${accounts} or (account_id is null and entity = 'sign_in_account'
        and entity_id in ${accounts} and actor = (select name from staff where id = ${staffId})))`,
    );
  }
  if (action !== '') query = query.where('action', 'ilike', contains(action));
  if (verb !== '') {
    const codes = codesWhere(auditWords.actions, (act) => act.verb === verb);
    query = query.where(sql<boolean>`action = any(${codes})`);
  }
  if (area !== '') {
    const codes = codesWhere(auditWords.records, (record) => record.area?.id === area);
    query = query.where(sql<boolean>`entity = any(${codes})`);
  }
  if (result !== '') query = query.where('result', '=', result);
  if (from !== '') query = query.where('at', '>=', startOf(from));
  if (to !== '') query = query.where('at', '<', startOf(to, 1));
  if (entity !== '') query = query.where('entity', '=', entity);
  if (entityId !== null) query = query.where('entity_id', '=', entityId);
  return query.orderBy('id', 'desc');
}

type Row = Awaited<ReturnType<ReturnType<typeof entries>['executeTakeFirstOrThrow']>>;

const toEntry = ({ entity_id, staff_id, request_id, at, role, address, result, details, ...row }: Row) => ({
  ...row,
  staffId: staff_id,
  id: Number(row.id),
  at: at.toISOString(),
  role: role ?? '',
  address: address ?? '',
  result: result as 'done',
  entityId: entity_id,
  requestId: request_id,
  details: details as Details,
});

type Details = Record<string, string | number | boolean>;

/** Adds the names of each act and record: one query for each kind of record, and one for the deleted records. */
async function withWords({ db, auditWords }: Context, rows: readonly ReturnType<typeof toEntry>[]) {
  const { actions, records, details = {} } = auditWords;
  const names = new Map<string, string>();
  for (const entity of new Set(rows.map((row) => row.entity))) {
    const ids = [...new Set(rows.filter((row) => row.entity === entity).map((row) => row.entityId))];
    for (const { id, name } of (await records[entity]?.findNames?.(db, ids)) ?? []) names.set(`${entity} ${id}`, name);
  }
  const unnamed = rows.filter(({ entity, entityId }) => entityId > 0 && !names.has(`${entity} ${entityId}`));
  for (const { entity, entityId, ...deletion } of await findDeletions({ db }, unnamed)) {
    const { nameDetails = ['Name'] } = records[entity] ?? {};
    names.set(
      `${entity} ${entityId}`,
      nameDetails
        .map((name) => deletion.details[name] ?? '')
        .filter(Boolean)
        .join(', '),
    );
  }
  return rows.map((row) => ({
    ...row,
    details: Object.entries(row.details).map(([name, value]) => inWords(details[name], name, value)),
    isView: actions[row.action]?.verb === 'Viewed',
    act: actions[row.action]?.words ?? verbatim(row.action),
    kind: records[row.entity]?.kind ?? verbatim(row.entity),
    name: names.get(`${row.entity} ${row.entityId}`) ?? '',
  }));
}

interface Deletion {
  entity: string;
  entityId: number;
  details: Details;
}

/** What the audit log has about the deletion of records. */
async function findDeletions({ db }: Pick<Context, 'db'>, of: readonly Omit<Deletion, 'details'>[]) {
  const { rows } = await sql<Deletion>`
    select distinct on (audit.entity, audit.entity_id) audit.entity, audit.entity_id as "entityId", details
    from audit join unnest(${of.map(({ entity }) => entity)}::text[], ${of.map(({ entityId }) => entityId)}::integer[])
      as deleted (entity, entity_id) on audit.entity = deleted.entity and audit.entity_id = deleted.entity_id
    where action like '%.removed' and result = 'done'
    order by audit.entity, audit.entity_id, audit.id desc`.execute(db);
  return rows;
}

/** A detail with its label, and its codes in words; codes that nobody knows any more as they are written. */
function inWords(detail: AuditDetail | undefined, name: string, value: Details[string]) {
  const label = detail?.label ?? verbatim(name);
  if (typeof value === 'boolean') return { label, values: [value ? text`Yes` : text`No`] };
  const written = String(value);
  const codes = new Map(Object.entries(detail?.codes ?? {}));
  const words = (codes.has(written) ? [written] : written.split(' ')).map((code) => codes.get(code));
  return { label, values: words.every((word) => word !== undefined) ? words : [verbatim(written)] };
}

/** Reading the audit log is audited too (H5). */
const readingOf = (action: string, { entity, entityId }: Filter) => ({
  action,
  entity: entity || 'audit',
  entityId: entityId ?? 0,
});

const list: Handler<typeof auditApi.list> = async (ctx, { before, ...filter }) => {
  const query = entries(ctx, filter);
  const rows = await (before === null ? query : query.where('id', '<', String(before))).limit(pageSize + 1).execute();
  await audit(ctx, readingOf('audit.read', filter));
  const shown = await withWords(ctx, rows.slice(0, pageSize).map(toEntry));
  const areas = Object.values(ctx.auditWords.records).flatMap(({ area }) => area?.id ?? []);
  return {
    rows: shown,
    next: rows.length > pageSize ? (shown.at(-1)?.id ?? null) : null,
    areas: [...new Set(areas)].sort((one, other) => one.localeCompare(other)),
  };
};

const heads = [
  'Time (UTC)',
  'User',
  'Role',
  'Sign-in session',
  'Address',
  'Action',
  'Record',
  'Record number',
  'Result',
  'Request ID',
  'Details',
];

const exportAll: Handler<typeof auditApi.export> = async (ctx, filter) => {
  const rows = await entries(ctx, filter).limit(mostExported).execute();
  const act = { ...readingOf('audit.exported', filter), details: { rows: rows.length, as: 'csv' } };
  const cells = await mapRows(rows.map(toEntry), (row) => [
    row.at,
    row.actor,
    row.role,
    row.session,
    row.address,
    row.action,
    row.entity,
    row.entityId,
    row.result,
    row.requestId,
    JSON.stringify(row.details),
  ]);
  return takeNames(ctx, { ...act, names: rows.length }, async () => ({
    mediaType: 'text/csv',
    name: 'audit.csv',
    bytes: await csvFile(heads, cells),
  }));
};

const walks = new WeakMap<Context['db'], ReturnType<typeof verifyAudit>>();

/** One check of the chain at a time, shared by all requests during it: several at once would block the database. */
function walkOnce(ctx: Context) {
  const walk = walks.get(ctx.db) ?? verifyAudit(ctx).finally(() => walks.delete(ctx.db));
  walks.set(ctx.db, walk);
  return walk;
}

const verify: Handler<typeof auditApi.verify> = async (ctx) => {
  const verdict = await walkOnce(ctx);
  const { sealed, brokenAt, unsealed, timeBackAt, head } = verdict;
  await audit(ctx, {
    action: 'audit.verified',
    entity: 'audit',
    entityId: 0,
    result: isIntact(verdict) ? 'done' : 'refused',
    details: {
      sealed,
      ...(brokenAt !== undefined && { brokenAt }),
      ...(unsealed > 0 && { unsealed }),
      ...(timeBackAt !== undefined && { timeBackAt }),
    },
  });
  return { sealed, brokenAt: brokenAt ?? null, unsealed, timeBackAt: timeBackAt ?? null, head };
};

export const auditLog = serverFeature({
  pages: auditPages,
  routes: routes(auditApi, { list, export: exportAll, verify }),
  auditArea: text`System`,
  auditWords: {
    actions: {
      'audit.read': { verb: 'Viewed', words: text`Viewed the audit log` },
      'audit.exported': { verb: 'Exported', words: text`Exported the audit log` },
      'audit.verified': { verb: 'Verified', words: text`Verified the audit log` },
    },
    records: { audit: { kind: text`Audit log` } },
  },
});
