import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod/mini';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { lockTableForWrite } from '#kit/server/master/sql.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import { audit, auditEach } from '#kit/server/security/audit.ts';
import type { tagScopes } from '../contract/masters.ts';
import { mostTags, type Tag, tagApi, type tagOptionsInput } from '../contract/tag.ts';

export type TagScope = (typeof tagScopes)[number];

/** The records of a kind as the audit log names them, by the manifest of their feature. */
function entityOf({ tagged }: Context, kind: TagScope): string {
  const found = tagged.find(({ scope }) => scope === kind);
  if (!found) throw new Error(`${kind} is not in tagged of a manifest.`);
  return found.entity;
}

const unfitMessage = text`One of these tags can’t be used here. Choose other tags.`;

type OptionsAsked = z.output<typeof tagOptionsInput>;

type Asking = Pick<UserContext, 'db' | 'user'>;

/** Only Admins and the principal may see and use restricted tags. */
const maySeeRestricted = ({ user: { role, sets } }: Pick<UserContext, 'user'>) =>
  role === 'Admin' || sets.includes('principal');

/** The tags a user may see, with their groups. */
const visibleTags = (ctx: Asking) =>
  ctx.db
    .selectFrom('configuration_tag as tag')
    .innerJoin('configuration_tag_group as group', 'group.id', 'tag.tag_group_id')
    .$if(!maySeeRestricted(ctx), (query) => query.where('tag.is_restricted', '=', false))
    .select(['tag.id', 'tag.name', 'group.name as group', 'tag.colour', 'tag.is_restricted as isRestricted'])
    .orderBy(sql`lower("group".name)`)
    .orderBy(sql`lower(tag.name)`)
    .orderBy('tag.id');

/** Whether `tag` has this name, or had it before a merge. */
const isCalled = (words: string): RawBuilder<boolean> => sql<boolean>`(tag.name ilike ${contains(words)}
  or exists (select from configuration_tag_alias alias where alias.tag_id = tag.id and alias.name ilike ${contains(words)}))`;

/** Whether `tag` is active and for this kind of record. */
const isOffered = (scope: TagScope): RawBuilder<boolean> => sql<boolean>`tag.is_active and ${scope} = any (tag.scopes)`;

/** The active tags for a kind of record; restricted ones only for permitted users. */
export async function offeredTags(ctx: Asking, scope: TagScope, search = ''): Promise<Tag[]> {
  return visibleTags(ctx)
    .where(isOffered(scope))
    .$if(search !== '', (query) => query.where(isCalled(search)))
    .limit(mostTags)
    .execute();
}

/** The active tags for a filter of these records, and always the chosen tag. */
export const tagOptions = (ctx: Asking, scope: TagScope, { search, state, limit, chosenId }: OptionsAsked) =>
  visibleTags(ctx)
    .where(
      sql<boolean>`((${isOffered(scope)} and ${isCalled(search)} and ${state} <> 'inactive') or tag.id = ${chosenId})`,
    )
    .select('tag.is_active as isActive')
    .limit(limit)
    .execute();

/** Whether a record has a tag that the user may see. */
export const hasTag = (ctx: Asking, kind: TagScope, id: RawBuilder<number>, tagId: number): RawBuilder<boolean> =>
  sql<boolean>`${id} in (select link.entity_id from tag_link link join configuration_tag tag on tag.id = link.tag_id
    where link.entity_type = ${kind} and tag.id = ${tagId} and (${maySeeRestricted(ctx)} or not tag.is_restricted))`;

/** The tags of records by their ids, without those the user may not see. */
export async function readTags(ctx: Asking, kind: TagScope, ids: readonly number[]): Promise<Map<number, Tag[]>> {
  const rows = await visibleTags(ctx)
    .innerJoin('tag_link as link', 'link.tag_id', 'tag.id')
    .where('link.entity_type', '=', kind)
    .where('link.entity_id', '=', sql<number>`any (${ids})`)
    .select('link.entity_id')
    .execute();
  const tags = new Map(ids.map((id): [number, Tag[]] => [id, []]));
  for (const { entity_id, ...tag } of rows) tags.get(entity_id)?.push(tag);
  return tags;
}

/**
 * Replaces a record's tags, except those the user may not see. Existing inactive tags may stay. Refuses other
 * unavailable tags at the field `tags`. Needs the caller's transaction.
 */
export async function setTags(ctx: UserContext, kind: TagScope, entityId: number, tagIds: readonly number[]) {
  const { db } = ctx;
  await sql`select pg_advisory_xact_lock(hashtext(${`tags of ${kind} ${entityId}`}))`.execute(db);
  // Locked against merges and deactivation, in the same order as a merge locks.
  await sql`select 1 from configuration_tag where id = any (${tagIds})
      or id in (select tag_id from tag_link where entity_type = ${kind} and entity_id = ${entityId})
    order by id for share`.execute(db);
  const before = (await readTags(ctx, kind, [entityId])).get(entityId) ?? [];
  const had = new Set(before.map(({ id }) => id));
  const added = [...new Set(tagIds)].filter((id) => !had.has(id));
  const offered = await visibleTags(ctx)
    .where(isOffered(kind))
    .where('tag.id', '=', sql<number>`any (${added})`)
    .execute();
  if (offered.length < added.length) throw fieldRefusal('tags', unfitMessage);
  const removed = before.filter(({ id }) => !tagIds.includes(id)).map(({ id }) => id);
  if (added.length === 0 && removed.length === 0) return;

  if (removed.length > 0)
    await db
      .deleteFrom('tag_link')
      .where('entity_type', '=', kind)
      .where('entity_id', '=', entityId)
      .where('tag_id', 'in', removed)
      .execute();
  if (added.length > 0)
    await db
      .insertInto('tag_link')
      .values(added.map((tag_id) => ({ tag_id, entity_type: kind, entity_id: entityId })))
      .execute();
  const after = (await readTags(ctx, kind, [entityId])).get(entityId) ?? [];
  const words = (tags: Tag[]) => tags.map(({ name }) => name).join(', ') || '–';
  const details = { Tags: `${words(before)} → ${words(after)}` };
  await audit(ctx, { action: 'tags.changed', entity: entityOf(ctx, kind), entityId, details });
}

/** A tag that is added to many records or removed from them, and the field of the form that chose it. */
interface TagChoice {
  id: number | null;
  field: string;
}

/**
 * Adds one tag to records and removes another one, and returns the ids of those that change. Refuses a tag that the user
 * may not see, and the adding of one that is not offered. Needs the caller's transaction, with the records locked.
 */
export async function tagMany(
  ctx: UserContext,
  kind: TagScope,
  ids: readonly number[],
  { added, removed }: { added: TagChoice; removed: TagChoice },
): Promise<number[]> {
  const { db } = ctx;
  const changed: number[] = [];
  const note = (records: { entity_id: number }[], details: Record<string, string>) => {
    const entityIds = records.map(({ entity_id }) => entity_id);
    changed.push(...entityIds);
    return auditEach(ctx, { action: 'tags.changed', entity: entityOf(ctx, kind), details }, entityIds);
  };
  const find = async ({ id, field }: TagChoice, isAdded: boolean) => {
    if (id === null) return undefined;
    // Locked against merges and deactivation.
    await sql`select 1 from configuration_tag where id = ${id} for share`.execute(db);
    const tag = await visibleTags(ctx)
      .where('tag.id', '=', id)
      .$if(isAdded, (query) => query.where(isOffered(kind)))
      .executeTakeFirst();
    if (!tag) throw fieldRefusal(field, unfitMessage);
    return tag;
  };
  const [gone, given] = [await find(removed, false), await find(added, true)];
  if (gone) {
    const records = await db
      .deleteFrom('tag_link')
      .where('entity_type', '=', kind)
      .where('entity_id', '=', sql<number>`any (${ids})`)
      .where('tag_id', '=', gone.id)
      .returning('entity_id')
      .execute();
    await note(records, { Removed: gone.name });
  }
  if (given) {
    const { rows } = await sql<{ entity_id: number }>`
      insert into tag_link (tag_id, entity_type, entity_id)
      select ${given.id}, ${kind}, record from unnest(${ids}::integer[]) as record
      on conflict do nothing returning entity_id`.execute(db);
    await note(rows, { Added: given.name });
  }
  return changed;
}

const offer: Handler<typeof tagApi.offer> = (ctx, { scope, search }) => offeredTags(ctx, scope, search);

/** Locks tags in the order of their ids. */
async function lockTags({ db }: Context, ids: readonly number[]) {
  await lockTableForWrite(db, 'configuration_tag');
  return db
    .selectFrom('configuration_tag')
    .where('id', '=', sql<number>`any (${ids})`)
    .select(['id', 'name', 'tag_group_id', 'scopes', 'is_restricted', 'is_active', 'version'])
    .orderBy('id')
    .forUpdate()
    .execute();
}

const mergeable: Handler<typeof tagApi.mergeable> = async ({ db }, { id }) => {
  const own = await db
    .selectFrom('configuration_tag')
    .where('id', '=', id)
    .select((row) => [
      'is_restricted',
      row
        .selectFrom('tag_link')
        .where('tag_id', '=', id)
        .select((link) => link.fn.countAll<number>().as('count'))
        .as('links'),
    ])
    .executeTakeFirstOrThrow(notFound);
  const tags = await db
    .selectFrom('configuration_tag as tag')
    .innerJoin('configuration_tag_group as group', 'group.id', 'tag.tag_group_id')
    .where('tag.id', '<>', id)
    .where('tag.is_active', '=', true)
    .$if(own.is_restricted, (query) => query.where('tag.is_restricted', '=', true))
    .where(sql<boolean>`not exists (select from tag_link where tag_id = ${id} and not entity_type = any (tag.scopes))`)
    .select(['tag.id', 'tag.name', 'group.name as group'])
    .select(
      sql<number>`(select count(*) from tag_link own join tag_link other on other.tag_id = tag.id
        and other.entity_type = own.entity_type and other.entity_id = own.entity_id where own.tag_id = ${id})`.as(
        'alreadyThere',
      ),
    )
    .orderBy(sql`lower("group".name)`)
    .orderBy(sql`lower(tag.name)`)
    .orderBy('tag.id')
    .limit(1000)
    .execute();
  return { links: own.links ?? 0, tags };
};

const merge: Handler<typeof tagApi.merge> = async (ctx, { id, version, intoId }) => {
  const { db } = ctx;
  const held = await lockTags(ctx, [id, intoId ?? 0]);
  const from = held.find((tag) => tag.id === id);
  const into = held.find((tag) => tag.id === intoId);
  if (!from) throw new AppError('not_found', notFoundMessage);
  requireVersion(from, version);
  if (!into?.is_active || into.id === id)
    throw fieldRefusal('intoId', text`This entry is inactive. Choose another one.`);
  // Otherwise users could see a restricted tag's records under the other name.
  if (from.is_restricted && !into.is_restricted) throw fieldRefusal('intoId', unfitMessage);
  const { rows: kinds } = await sql<{ kind: string }>`
    select distinct entity_type as kind from tag_link where tag_id = ${id}`.execute(db);
  if (kinds.some(({ kind }) => !into.scopes.includes(kind))) throw fieldRefusal('intoId', unfitMessage);

  const { rows } = await sql`update tag_link own set tag_id = ${into.id} where tag_id = ${id}
      and not exists (select from tag_link other where other.tag_id = ${into.id}
        and other.entity_type = own.entity_type and other.entity_id = own.entity_id)
    returning id`.execute(db);
  const moved = rows.length;
  const left = await db.deleteFrom('tag_link').where('tag_id', '=', id).returning('id').execute();
  await db.updateTable('configuration_tag_alias').set({ tag_id: into.id }).where('tag_id', '=', id).execute();
  await db.deleteFrom('configuration_tag').where('id', '=', id).execute();
  await db
    .insertInto('configuration_tag_alias')
    .values({ tag_id: into.id, tag_group_id: from.tag_group_id, name: from.name })
    .execute();
  const details = {
    Merged: `${from.name} → ${into.name}`,
    Records: String(moved + left.length),
    'Had both': String(left.length),
  };
  for (const { id: entityId } of [from, into])
    await audit(ctx, { action: 'configuration-tag.merged', entity: 'configuration_tag', entityId, details });
  return { moved, alreadyThere: left.length };
};

export default routes(tagApi, { offer, mergeable, merge });
