import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Database } from '#kit/server/database/database.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import type { noteApi } from '../contract/note.ts';
import { openDraft, sealDraft } from './sealed.ts';

const mostDrafts = 20;
const mostCharacters = 60_000;
/** The characters of its text that the list shows. */
const mostShown = 80;

/** A draft is its author’s alone, and answers to others as if it did not exist. */
async function findDraft({ db, user }: UserContext, id: number) {
  return db
    .selectFrom('observation_draft')
    .where('id', '=', id)
    .where('author_id', '=', user.staffId)
    .select(['id', 'answers'])
    .executeTakeFirstOrThrow(notFound);
}

export const saveDraft: Handler<typeof noteApi.saveDraft> = async (ctx, { draftId, answers }) => {
  const { db, user } = ctx;
  if (JSON.stringify(answers).length > mostCharacters) throw new AppError('too_large', text`This draft is too long.`);
  if (draftId !== null) {
    const { id } = await findDraft(ctx, draftId);
    await db
      .updateTable('observation_draft')
      .set({ answers: sealDraft(ctx, id, answers), changed_at: ctx.now(), version: sql`version + 1` })
      .where('id', '=', id)
      .execute();
    return { id };
  }
  await sql`select pg_advisory_xact_lock(hashtext(${`drafts of ${user.staffId}`}))`.execute(db);
  const { rows } = await sql<{ id: number; held: number }>`
    select nextval(pg_get_serial_sequence('observation_draft', 'id'))::integer as id,
      (select count(*)::integer from observation_draft where author_id = ${user.staffId}) as held`.execute(db);
  const { id = 0, held = 0 } = rows[0] ?? {};
  if (held >= mostDrafts)
    throw new AppError('conflict', text`You have ${{ held }} drafts. Publish or delete some first.`);
  await sql`insert into observation_draft (id, author_id, answers, changed_at) overriding system value
    values (${id}, ${user.staffId}, ${sealDraft(ctx, id, answers)}, ${ctx.now()})`.execute(db);
  return { id };
};

export const drafts: Handler<typeof noteApi.drafts> = async (ctx) => {
  const rows = await ctx.db
    .selectFrom('observation_draft')
    .where('author_id', '=', ctx.user.staffId)
    .select(['id', 'answers', 'changed_at'])
    .orderBy('changed_at', 'desc')
    .execute();
  return rows.map(({ id, answers, changed_at }) => ({
    id,
    changedAt: changed_at.toISOString(),
    about: String(openDraft(ctx, id, answers).note ?? '').slice(0, mostShown),
  }));
};

export const draft: Handler<typeof noteApi.draft> = async (ctx, { id }) => {
  const found = await findDraft(ctx, id);
  return { id, answers: openDraft(ctx, id, found.answers) };
};

export const removeDraft: Handler<typeof noteApi.removeDraft> = async (ctx, { id }) => {
  await findDraft(ctx, id);
  await ctx.db.deleteFrom('observation_draft').where('id', '=', id).execute();
  return {};
};

/** Deletes drafts of people who left a month ago. */
export const tidyDrafts = (db: Database) =>
  sql`delete from observation_draft draft where not exists (select from staff_employment spell
    where spell.staff_id = draft.author_id and coalesce(spell.last_day, 'infinity') > school_now()::date - 30)`.execute(
    db,
  );
