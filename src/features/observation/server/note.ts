import { sql } from 'kysely';
import { isGranted } from '#kit/contract/endpoint.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toOutput } from '#kit/server/database/row-map.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readHistory } from '#kit/server/security/history.ts';
import { auditReveal } from '#kit/server/security/reveal.ts';
import { noteApi, noteMessages } from '../contract/note.ts';
import { noteKeepers, type Reach } from '../contract/words.ts';
import { draft, drafts, removeDraft, saveDraft } from './draft.ts';
import { addFollowUp, changeFollowUp, readFollowUps } from './follow-up.ts';
import { offer, reader, skills } from './offer.ts';
import { momentOf, noteRules, publish } from './publish.ts';
import { endMarks, refuseForeign, writeEvidence, writeRatings } from './ratings.ts';
import { type FoundNote, requireNote } from './readable.ts';
import { describeReaders } from './readers.ts';
import {
  openAddendum,
  openNote,
  openPlace,
  openRemark,
  sealAddendum,
  sealNote,
  sealPlace,
  sealRemark,
} from './sealed.ts';
import { readVersions } from './version.ts';

const timeOf = (moment: Date) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Kolkata', hour: '2-digit', minute: '2-digit' }).format(moment);

const isLocked = (note: Pick<FoundNote, 'locks_at'>, now: Date) => note.locks_at.getTime() <= now.getTime();

const isPrincipal = ({ user }: UserContext, note: FoundNote) => note.isKept && user.sets.includes('principal');

const saidSo = (ctx: UserContext, note: FoundNote) => ({
  change: note.isOwn && !note.isWithdrawn && !isLocked(note, ctx.now()),
  addendum: (note.isOwn || isPrincipal(ctx, note)) && !note.isWithdrawn,
  copy: note.isOwn,
  withdraw: (note.isOwn || isPrincipal(ctx, note)) && !note.isWithdrawn,
  reach: (note.isOwn || isPrincipal(ctx, note)) && !note.isWithdrawn,
  widen: isPrincipal(ctx, note) || (note.isOwn && !isLocked(note, ctx.now())),
  reveal:
    note.reach === 'Restricted' &&
    !note.isOwn &&
    note.isKept &&
    isGranted(noteKeepers, ctx.user) &&
    seesText(ctx, note),
  followUp: (note.isOwn || isPrincipal(ctx, note)) && !note.isWithdrawn,
});

/** Author and principal still read the text of a withdrawn note. */
const seesText = (ctx: UserContext, note: FoundNote) => !note.isWithdrawn || note.isOwn || isPrincipal(ctx, note);

/** Whether the user sees the text without a reason. */
export const mayReadText = (ctx: UserContext, note: FoundNote) =>
  seesText(ctx, note) && (note.note_sealed === null || note.isOwn);

/** The text, for those who see it without a reason. */
const textOf = (ctx: UserContext, note: FoundNote): string | null => {
  if (!mayReadText(ctx, note)) return null;
  return note.note_sealed === null ? note.note : openNote(ctx, note.id, note.note_sealed);
};

/** The place as it was entered. */
const wholePlace = (ctx: UserContext, { id, place, place_sealed }: FoundNote) =>
  place_sealed === null ? place : openPlace(ctx, id, place_sealed);

/** What the columns of a text hold: the seals of a restricted one, or the text itself. */
const textColumns = (ctx: UserContext, id: number, text: { note: string; place: string }, isRestricted: boolean) =>
  isRestricted
    ? { note: null, place: '', note_sealed: sealNote(ctx, id, text.note), place_sealed: sealPlace(ctx, id, text.place) }
    : { note: text.note, place: text.place, note_sealed: null, place_sealed: null };

const read: Handler<typeof noteApi.read> = async (ctx, { id }) => {
  const { db } = ctx;
  const note = await requireNote(ctx, id);
  const seen = seesText(ctx, note);
  const reach = note.reach as Reach;
  const [about] = await db
    .selectFrom('observation_note as note')
    .innerJoin('observation_type as type', 'type.id', 'note.type_id')
    .innerJoin('staff as author', 'author.id', 'note.author_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'note.grade_id')
    .leftJoin('academic_section as section', 'section.id', 'note.section_id')
    .leftJoin('configuration_subject as subject', 'subject.id', 'note.subject_id')
    .leftJoin('observation_withdrawal as withdrawal', 'withdrawal.note_id', 'note.id')
    .leftJoin('staff as withdrawer', 'withdrawer.id', 'withdrawal.staff_id')
    .where('note.id', '=', id)
    .select([
      'type.name as type',
      'subject.name as subject',
      'author.name as author',
      'withdrawal.at',
      'withdrawal.reason',
      'withdrawer.name as by',
    ])
    .select(sql<string>`coalesce(academic_section_name(grade.name, section.name), grade.name)`.as('section'))
    .select(
      sql<number>`(select count(*)::integer - 1 from observation_note other where other.group_id = note.group_id)`.as(
        'others',
      ),
    )
    .execute();
  const addenda = await db
    .selectFrom('observation_addendum as addendum')
    .innerJoin('staff', 'staff.id', 'addendum.staff_id')
    .where('note_id', '=', id)
    .select(['addendum.id', 'addendum.at', 'addendum.text', 'addendum.text_sealed', 'staff.name'])
    .orderBy('addendum.id')
    .execute();
  const ratings = await db
    .selectFrom('observation_note_rating')
    .where('note_id', '=', id)
    .select(['indicator_id as indicatorId', 'level_id as levelId', 'comment'])
    .execute();
  const evidence = await db
    .selectFrom('student_skill_evidence as evidence')
    .innerJoin('configuration_skill as skill', 'skill.id', 'evidence.skill_id')
    .innerJoin('configuration_skill_level as level', 'level.id', 'evidence.skill_level_id')
    .where('observation_note_id', '=', id)
    .select(['skill.id as skillId', 'skill.name as skill', 'level.id as levelId', 'level.name as level'])
    .orderBy(sql`lower(skill.name)`)
    .execute();
  const rubric = note.rubric_version_id;
  const versions = await readVersions(ctx, rubric === null ? [] : [rubric]);
  const { leads, keepers, teachers } = await describeReaders(ctx, [note.student_id], reach, note.author_id);
  return toOutput(noteApi.read.output, note, {
    section: about?.section ?? '',
    type: about?.type ?? '',
    day: toLocalDate(note.observed_at),
    time: timeOf(note.observed_at),
    subject: about?.subject ?? '',
    place: mayReadText(ctx, note) ? wholePlace(ctx, note) : null,
    note: textOf(ctx, note),
    reach,
    author: about?.author ?? '',
    isLocked: isLocked(note, ctx.now()),
    others: about?.others ?? 0,
    withdrawn: about?.at
      ? { at: about.at.toISOString(), by: about.by ?? '', reason: seen ? (about.reason ?? '') : '' }
      : null,
    rubric: rubric !== null && seen ? (versions.get(rubric) ?? null) : null,
    ratings: seen ? ratings : [],
    skills: evidence,
    addenda: seen
      ? addenda.map((one) => ({
          id: one.id,
          at: one.at.toISOString(),
          author: one.name ?? '',
          text: one.text_sealed === null ? one.text : note.isOwn ? openAddendum(ctx, one.id, one.text_sealed) : null,
        }))
      : [],
    followUps: await readFollowUps(ctx, note),
    readers: [...leads, ...keepers],
    teachers,
    may: saidSo(ctx, note),
  });
};

/** A note for a change, locked; throws `stale` for another version, and refuses a withdrawn one. */
async function lockNote(ctx: UserContext, id: number, version?: number) {
  const note = await requireNote(ctx, id, true);
  if (note.isWithdrawn) throw new AppError('conflict', noteMessages.withdrawn);
  requireVersion(note, version);
  return note;
}

/** As `lockNote`, for author and principal; others read the note and may not act. */
async function lockOwned(ctx: UserContext, id: number, version?: number) {
  const note = await lockNote(ctx, id, version);
  if (!note.isOwn && !isPrincipal(ctx, note)) throw new AppError('not_found', notFoundMessage);
  return note;
}

const update: Handler<typeof noteApi.update> = async (ctx, { id, version, day, time, ...draft }) => {
  const note = await lockNote(ctx, id, version);
  if (!note.isOwn) throw new AppError('not_found', notFoundMessage);
  const now = ctx.now();
  if (isLocked(note, now)) throw new AppError('conflict', noteMessages.locked);
  const reach = draft.reach as Reach;
  const rubric = note.rubric_version_id;
  const shown = rubric === null ? undefined : (await readVersions(ctx, [rubric])).get(rubric);
  if (shown && reach === 'Restricted') throw fieldRefusal('reach', noteMessages.restrictedRatings);
  if (shown) refuseForeign(shown, draft.ratings);
  const isRestricted = reach === 'Restricted';
  await withConstraintMessages(ctx, noteRules, async () => {
    if (isRestricted) await endMarks(ctx, id);
    await ctx.db
      .updateTable('observation_note')
      .set({
        observed_at: momentOf(day, time),
        polarity: String(draft.polarity),
        ...textColumns(ctx, id, draft, isRestricted),
        subject_id: draft.subjectId,
        reach,
        changed_at: now,
        version: version + 1,
      })
      .where('id', '=', id)
      .execute();
    await writeRatings(ctx, [id], shown ?? null, shown ? draft.ratings : []);
    await writeEvidence(ctx, [id], draft.skills);
    if ((note.reach === 'Restricted') !== isRestricted) await resealParts(ctx, id, isRestricted);
  });
  await audit(ctx, { action: 'observation.changed', entity: 'observation_note', entityId: id, version: version + 1 });
  return { version: version + 1 };
};

/** Seals or opens the addenda of a note whose readers change, and the remarks of its follow-ups. */
async function resealParts(ctx: UserContext, noteId: number, seals: boolean) {
  const rows = await ctx.db
    .selectFrom('observation_addendum')
    .where('note_id', '=', noteId)
    .select(['id', 'text', 'text_sealed'])
    .execute();
  const changed = rows.map(({ id, text, text_sealed }) => ({
    id,
    text: seals ? null : text_sealed && openAddendum(ctx, id, text_sealed),
    sealed: seals ? sealAddendum(ctx, id, text ?? '') : null,
  }));
  await sql`update observation_addendum own set text = new.text, text_sealed = new.sealed
    from unnest(${changed.map(({ id }) => id)}::integer[], ${changed.map(({ text }) => text)}::text[],
      ${changed.map(({ sealed }) => sealed)}::bytea[]) as new (id, text, sealed) where own.id = new.id`.execute(ctx.db);
  const followUps = await ctx.db
    .selectFrom('observation_follow_up')
    .where('note_id', '=', noteId)
    .select(['id', 'remark', 'remark_sealed'])
    .orderBy('id')
    .forUpdate()
    .execute();
  const remarks = followUps.map(({ id, remark, remark_sealed }) => ({
    id,
    remark: seals ? '' : remark_sealed ? openRemark(ctx, id, remark_sealed) : remark,
    sealed: seals ? sealRemark(ctx, id, remark) : null,
  }));
  await sql`update observation_follow_up own set remark = new.remark, remark_sealed = new.sealed
    from unnest(${remarks.map(({ id }) => id)}::integer[], ${remarks.map(({ remark }) => remark)}::text[],
      ${remarks.map(({ sealed }) => sealed)}::bytea[]) as new (id, remark, sealed) where own.id = new.id`.execute(
    ctx.db,
  );
}

const reveal: Handler<typeof noteApi.reveal> = async (ctx, { id, reason }) => {
  const note = await requireNote(ctx, id);
  if (!saidSo(ctx, note).reveal || note.note_sealed === null) throw new AppError('not_found', notFoundMessage);
  await auditReveal(ctx, { action: 'observation.revealed', entity: 'observation_note', entityId: id, reason });
  const addenda = await ctx.db
    .selectFrom('observation_addendum')
    .where('note_id', '=', id)
    .select(['id', 'text_sealed'])
    .orderBy('id')
    .execute();
  const followUps = await ctx.db
    .selectFrom('observation_follow_up')
    .where('note_id', '=', id)
    .select(['id', 'remark', 'remark_sealed'])
    .orderBy('id')
    .execute();
  return {
    note: openNote(ctx, id, note.note_sealed),
    place: wholePlace(ctx, note),
    followUps: followUps.map((one) => ({
      id: one.id,
      remark: one.remark_sealed ? openRemark(ctx, one.id, one.remark_sealed) : one.remark,
    })),
    addenda: addenda.flatMap((one) =>
      one.text_sealed ? [{ id: one.id, text: openAddendum(ctx, one.id, one.text_sealed) }] : [],
    ),
  };
};

const addendum: Handler<typeof noteApi.addendum> = async (ctx, { id, text }) => {
  const note = await lockOwned(ctx, id);
  const isRestricted = note.reach === 'Restricted';
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('observation_addendum', 'id'))::integer as id`.execute(ctx.db);
  const addendumId = rows[0]?.id ?? 0;
  await sql`insert into observation_addendum (id, note_id, staff_id, at, text, text_sealed) overriding system value
    values (${addendumId}, ${id}, ${ctx.user.staffId}, ${ctx.now()}, ${isRestricted ? null : text},
      ${isRestricted ? sealAddendum(ctx, addendumId, text) : null})`.execute(ctx.db);
  await audit(ctx, { action: 'observation.added-to', entity: 'observation_note', entityId: id });
  return {};
};

const withdraw: Handler<typeof noteApi.withdraw> = async (ctx, { id, reason }) => {
  await lockOwned(ctx, id);
  const now = ctx.now();
  await endMarks(ctx, id);
  await sql`update observation_follow_up set state = 'Cancelled', closed_on = ${toLocalDate(now)}, version = version + 1
    where note_id = ${id} and closed_on is null`.execute(ctx.db);
  await ctx.db
    .insertInto('observation_withdrawal')
    .values({ note_id: id, staff_id: ctx.user.staffId, at: now, reason })
    .execute();
  await audit(ctx, {
    action: 'observation.withdrawn',
    entity: 'observation_note',
    entityId: id,
    details: { Reason: reason },
  });
  return {};
};

/** From the most readers to the fewest. */
const order: readonly Reach[] = ['All teachers', 'Class teachers', 'Restricted'];

const changeReach: Handler<typeof noteApi.reach> = async (ctx, { id, version, reach: wanted, reason }) => {
  const note = await lockOwned(ctx, id, version);
  const reach = wanted as Reach;
  const before = note.reach as Reach;
  if (reach === before) return {};
  const isWider = order.indexOf(reach) < order.indexOf(before);
  const isOpen = note.isOwn && !isLocked(note, ctx.now());
  if (isWider && !isOpen && !(isPrincipal(ctx, note) && reason !== ''))
    throw fieldRefusal(isPrincipal(ctx, note) ? 'reason' : 'reach', noteMessages.widen);
  const isRestricted = reach === 'Restricted';
  const plain = note.note_sealed === null ? note.note : openNote(ctx, id, note.note_sealed);
  await withConstraintMessages(ctx, noteRules, async () => {
    if (isRestricted) await endMarks(ctx, id);
    await ctx.db
      .updateTable('observation_note')
      .set({
        reach,
        ...textColumns(ctx, id, { note: plain ?? '', place: wholePlace(ctx, note) }, isRestricted),
        changed_at: ctx.now(),
        version: version + 1,
      })
      .where('id', '=', id)
      .execute();
    if (isRestricted !== (before === 'Restricted')) await resealParts(ctx, id, isRestricted);
  });
  await audit(ctx, {
    action: 'observation.readers-changed',
    entity: 'observation_note',
    entityId: id,
    version: version + 1,
    details: { Readers: reach, Before: before, ...(reason && { Reason: reason }) },
  });
  return {};
};

const history: Handler<typeof noteApi.history> = async (ctx, input) => {
  await requireNote(ctx, input.id);
  return readHistory(ctx, 'observation_note', input);
};

export const noteRoutes = routes(noteApi, {
  offer,
  reader,
  skills,
  publish,
  update,
  read,
  history,
  reveal,
  addendum,
  withdraw,
  reach: changeReach,
  addFollowUp,
  changeFollowUp,
  saveDraft,
  drafts,
  draft,
  removeDraft,
});
