import { sql, type Updateable } from 'kysely';
import type { ObservationVisit } from '#database/types.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toOutput } from '#kit/server/database/row-map.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { endNotices, notify } from '#kit/server/messages/notifications.ts';
import { requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readHistory } from '#kit/server/security/history.ts';
import { scoreOf, showScore } from '../contract/score.ts';
import { sharedStates, visitApi, visitMessages, visit as visitOutput } from '../contract/visit.ts';
import { momentOf } from './publish.ts';
import { readVersions } from './version.ts';
import { coverage, own } from './visit-list.ts';
import { offerVisit } from './visit-offer.ts';
import { paper } from './visit-paper.ts';
import { otherObservers, readEvidence, readRatings, readVisitNames } from './visit-parts.ts';
import { type FoundVisit, isOverseen, observable, requireVisit } from './visit-visible.ts';

const rules = {
  table: 'observation_visit',
  fields: {},
  constraintMessages: { observation_visit_self: { field: 'observedId', message: visitMessages.self } },
};

const schedule: Handler<typeof visitApi.schedule> = async (ctx, input) => {
  const { db, user } = ctx;
  const { observedId, typeId, kind, day, time, sectionId, topic, isAnnounced } = input;
  if (observedId === user.staffId) throw fieldRefusal('observedId', visitMessages.self);
  const found = await observable(ctx)
    .where('observed.id', '=', observedId ?? 0)
    .where(isOverseen(user))
    .select('observed.id')
    .executeTakeFirst();
  if (!found) throw fieldRefusal('observedId', visitMessages.notYours);
  const { rows } = await sql<{ version: number; scale: number }>`
    select version.id as version, version.scale_id as scale from observation_type type
    join observation_rubric_version version on version.rubric_id = type.rubric_id and version.state = 'Published'
    where type.id = ${typeId} and type.for_whom = 'Staff' and type.is_active`.execute(db);
  const [rubric] = rows;
  if (!rubric) throw fieldRefusal('typeId', visitMessages.otherType);
  const { id } = await withConstraintMessages(ctx, rules, () =>
    db
      .insertInto('observation_visit')
      .values({
        observed_id: Number(observedId),
        observer_id: user.staffId,
        type_id: Number(typeId),
        rubric_version_id: rubric.version,
        scale_id: rubric.scale,
        kind: String(kind),
        is_announced: isAnnounced,
        scheduled_at: momentOf(day, time),
        section_id: sectionId,
        topic,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  if (isAnnounced) await tell(ctx, Number(observedId), text`A visit to your lesson is announced.`, id, 'own');
  await audit(ctx, { action: 'visit.scheduled', entity: 'observation_visit', entityId: id, version: 1 });
  return { id };
};

/** The bell of the observed person, or of another one: it names nobody (decision 0082). */
const tell = (ctx: UserContext, staffId: number, words: ReturnType<typeof text>, id: number, where: 'own' | 'visit') =>
  notify(ctx, {
    kind: 'observation.visit',
    text: words,
    path:
      where === 'own'
        ? '/school-erp/staff-observation/own-observation'
        : `/school-erp/staff-observation/staff-observation-list/${id}`,
    key: `observation.visit.${id}`,
    to: { staff: [staffId] },
  });

async function lock(ctx: UserContext, id: number, version?: number) {
  const visit = await requireVisit(ctx, id, true);
  requireVersion(visit, version);
  return visit;
}

/** A visit for an act of its observer in one of these states. */
async function lockOwn(ctx: UserContext, id: number, states: readonly FoundVisit['state'][], version?: number) {
  const visit = await lock(ctx, id, version);
  if (!visit.isObserver) throw new AppError('forbidden', visitMessages.step);
  if (!states.includes(visit.state))
    throw new AppError('conflict', sharedStates.includes(visit.state) ? visitMessages.locked : visitMessages.step);
  return visit;
}

/** Writes the next version of a visit with its audit row. */
async function write(
  ctx: UserContext,
  visit: FoundVisit,
  action: string,
  set: Updateable<ObservationVisit>,
  details: Record<string, string> = {},
) {
  const version = visit.version + 1;
  await updating(ctx)
    .set({ ...set, version })
    .where('id', '=', visit.id)
    .execute();
  await audit(ctx, { action: `visit.${action}`, entity: 'observation_visit', entityId: visit.id, version, details });
  return { version };
}
const updating = ({ db }: UserContext) => db.updateTable('observation_visit');

const start: Handler<typeof visitApi.start> = async (ctx, { id, version }) => {
  const visit = await lockOwn(ctx, id, ['Scheduled'], version);
  return write(ctx, visit, 'started', { state: 'In progress', started_at: ctx.now() });
};

const update: Handler<typeof visitApi.update> = async (ctx, { id, version, nextReviewOn, ...texts }) => {
  const visit = await lockOwn(ctx, id, ['In progress', 'Draft'], version);
  return write(ctx, visit, 'changed', { ...texts, next_review_on: nextReviewOn || null });
};

const rate: Handler<typeof visitApi.rate> = async (ctx, { id, indicatorId, levelId, comment }) => {
  const visit = await lockOwn(ctx, id, ['In progress', 'Draft']);
  const { rows } = await sql<{ rated: number }>`
    insert into observation_visit_rating (visit_id, version_id, indicator_id, level_id, scale_id, comment)
    select ${id}, indicator.version_id, indicator.id, level.id, level.scale_id, ${comment ?? ''}
    from observation_indicator indicator, observation_level level
    where indicator.id = ${indicatorId} and indicator.version_id = ${visit.rubric_version_id}
      and level.id = ${levelId} and level.scale_id = ${visit.scale_id} and level.is_active
    on conflict (visit_id, indicator_id) do update set level_id = excluded.level_id,
      comment = coalesce(${comment ?? null}::text, observation_visit_rating.comment)
    returning visit_id as rated`.execute(ctx.db);
  if (rows.length === 0) throw fieldRefusal('levelId', visitMessages.otherType);
  await saveScore(ctx, visit);
  return {};
};

/** The score and the flag that follow from the ratings: a critical indicator at the lowest level that has points. */
async function saveScore(ctx: UserContext, visit: FoundVisit) {
  const rubric = (await readVersions(ctx, [visit.rubric_version_id])).get(visit.rubric_version_id);
  const ratings = await readRatings(ctx, visit.id);
  const pointsOf = (indicatorId: number) => {
    const levelId = ratings.find((rating) => rating.indicatorId === indicatorId)?.levelId;
    const points = rubric?.levels.find((level) => level.id === levelId)?.points ?? null;
    return points === null ? null : points * 100;
  };
  const lowest = Math.min(...(rubric?.levels ?? []).flatMap(({ points }) => (points === null ? [] : [points * 100])));
  const domains = rubric?.domains ?? [];
  const score = scoreOf(
    domains.map(({ weight, indicators }) => ({
      weight: weight ?? 0,
      points: indicators.map(({ id }) => pointsOf(id)),
    })),
  );
  const is_flagged = domains.some(({ indicators }) =>
    indicators.some(({ id, isCritical }) => isCritical && pointsOf(id) === lowest),
  );
  await updating(ctx).set({ score, is_flagged }).where('id', '=', visit.id).execute();
}

const note: Handler<typeof visitApi.note> = async (ctx, { id, text: words }) => {
  await lockOwn(ctx, id, ['In progress', 'Draft']);
  await ctx.db.insertInto('observation_visit_evidence').values({ visit_id: id, at: ctx.now(), text: words }).execute();
  return {};
};

const finish: Handler<typeof visitApi.finish> = async (ctx, { id, version }) => {
  const visit = await lockOwn(ctx, id, ['In progress'], version);
  return write(ctx, visit, 'finished', { state: 'Draft', ended_at: ctx.now() });
};

const share: Handler<typeof visitApi.share> = async (ctx, { id, version }) => {
  const visit = await lockOwn(ctx, id, ['Draft'], version);
  const ratings = await readRatings(ctx, id);
  const evidence = await readEvidence(ctx, id);
  const { topic, strengths, improvements, plan } = visit;
  const isEmpty = ratings.length + evidence.length === 0 && ![strengths, improvements, plan].some(Boolean);
  if (isEmpty) throw new AppError('conflict', visitMessages.empty);
  const number = visit.share_number + 1;
  const saved = await write(ctx, visit, 'shared', { state: 'Shared', shared_at: ctx.now(), share_number: number });
  await ctx.db
    .insertInto('observation_visit_share')
    .values({
      visit_id: id,
      number,
      shared_at: ctx.now(),
      copy: JSON.stringify({ topic, strengths, improvements, plan, ratings, evidence }),
      score: visit.score,
    })
    .execute();
  await tell(ctx, visit.observed_id, text`A report of your lesson is shared with you.`, id, 'visit');
  return saved;
};

const cancel: Handler<typeof visitApi.cancel> = async (ctx, { id, version, reason }) => {
  const visit = await lockOwn(ctx, id, ['Scheduled', 'In progress', 'Draft'], version);
  if (visit.share_number > 0) throw new AppError('conflict', visitMessages.step);
  await endNotices(ctx, [`observation.visit.${id}`]);
  return write(ctx, visit, 'cancelled', { state: 'Cancelled', cancel_reason: reason }, { Reason: reason });
};

const acknowledge: Handler<typeof visitApi.acknowledge> = async (ctx, { id, version, comment }) => {
  const visit = await lock(ctx, id, version);
  if (!visit.isObserved) throw new AppError('forbidden', visitMessages.step);
  if (visit.state !== 'Shared') throw new AppError('conflict', visitMessages.step);
  const at = ctx.now();
  await ctx.db
    .updateTable('observation_visit_share')
    .set({ comment, acknowledged_at: at })
    .where('visit_id', '=', id)
    .where('number', '=', visit.share_number)
    .execute();
  await endNotices(ctx, [`observation.visit.${id}`]);
  await tell(ctx, visit.observer_id, text`A report that you shared is acknowledged.`, id, 'visit');
  return write(ctx, visit, 'acknowledged', {
    state: 'Acknowledged',
    comment,
    acknowledged_at: at,
    acknowledged_by: ctx.user.staffId,
  });
};

const close: Handler<typeof visitApi.close> = async (ctx, { id, version, reason }) => {
  const visit = await lock(ctx, id, version);
  if (!visit.isObserver && !visit.isChief) throw new AppError('forbidden', visitMessages.step);
  const isForced = visit.state === 'Shared';
  if (visit.state !== 'Acknowledged' && !isForced) throw new AppError('conflict', visitMessages.step);
  if (isForced && !(ctx.user.sets.includes('principal') && visit.isChief && reason !== ''))
    throw fieldRefusal('reason', visitMessages.unacknowledged);
  await endNotices(ctx, [`observation.visit.${id}`]);
  return write(ctx, visit, 'closed', { state: 'Closed', closed_at: ctx.now(), close_reason: reason });
};

const reopen: Handler<typeof visitApi.reopen> = async (ctx, { id, version, reason }) => {
  const visit = await lock(ctx, id, version);
  if (!visit.isObserver && !visit.isChief) throw new AppError('forbidden', visitMessages.step);
  if (!sharedStates.includes(visit.state)) throw new AppError('conflict', visitMessages.step);
  await ctx.db
    .updateTable('observation_visit_share')
    .set({ reopened_at: ctx.now(), reopened_by: ctx.user.staffId, reason })
    .where('visit_id', '=', id)
    .where('number', '=', visit.share_number)
    .execute();
  const set = { shared_at: null, closed_at: null, acknowledged_at: null, acknowledged_by: null };
  const saved = await write(
    ctx,
    visit,
    'reopened',
    { ...set, state: 'Draft', comment: '', close_reason: '' },
    { Reason: reason },
  );
  await tell(ctx, visit.observed_id, text`A report of your lesson was reopened.`, id, 'own');
  return saved;
};

const handOver: Handler<typeof visitApi.handOver> = async (ctx, { id, version, observerId }) => {
  const visit = await lockOwn(ctx, id, ['Scheduled'], version);
  const found = (await otherObservers(ctx, visit)).find((one) => one.id === observerId);
  if (!found) throw fieldRefusal('observerId', visitMessages.noObserver);
  const saved = await write(ctx, visit, 'handed-over', { observer_id: found.id }, { Observer: found.name });
  await tell(ctx, found.id, text`A visit to a lesson is handed over to you.`, id, 'visit');
  return saved;
};

const read: Handler<typeof visitApi.read> = async (ctx, { id }) => {
  const visit = await requireVisit(ctx, id);
  const { isObserver, isObserved, isChief, state } = visit;
  const rubric = (await readVersions(ctx, [visit.rubric_version_id])).get(visit.rubric_version_id);
  const names = await readVisitNames(ctx, id);
  const { rows: reopened } = await sql<{ number: number; at: Date; by: string; reason: string }>`
    select share.number, share.reopened_at as at, staff.name as by, share.reason from observation_visit_share share
    join staff on staff.id = share.reopened_by where share.visit_id = ${id} order by share.number`.execute(ctx.db);
  const isCapture = state === 'In progress' || state === 'Draft';
  return toOutput(visitOutput, visit, {
    observer: names.observer,
    type: names.type,
    section: names.section,
    state,
    score: showScore(visit.score),
    rubric: rubric ?? { id: 0, number: 0, scaleId: 0, levels: [], domains: [] },
    observers: isObserver && state === 'Scheduled' ? await otherObservers(ctx, visit) : [],
    ratings: await readRatings(ctx, id),
    evidence: (await readEvidence(ctx, id)).map((row) => ({ ...row, at: row.at.toISOString() })),
    reopened: reopened.map((row) => ({ ...row, at: row.at.toISOString() })),
    may: {
      start: isObserver && state === 'Scheduled',
      capture: isObserver && isCapture,
      finish: isObserver && state === 'In progress',
      share: isObserver && state === 'Draft',
      cancel: isObserver && (state === 'Scheduled' || isCapture) && visit.share_number === 0,
      acknowledge: isObserved && state === 'Shared',
      close: state === 'Acknowledged' ? isObserver || isChief : state === 'Shared' && isChief,
      reopen: (isObserver || isChief) && sharedStates.includes(state),
      handOver: isObserver && state === 'Scheduled',
      print: sharedStates.includes(state),
    },
  });
};

const history: Handler<typeof visitApi.history> = async (ctx, input) => {
  await requireVisit(ctx, input.id);
  return readHistory(ctx, 'observation_visit', input);
};

export const visitRoutes = routes(visitApi, {
  offer: offerVisit,
  schedule,
  coverage,
  own,
  read,
  history,
  start,
  update,
  rate,
  note,
  finish,
  share,
  cancel,
  acknowledge,
  close,
  reopen,
  handOver,
  paper,
});
