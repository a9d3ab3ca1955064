import { sql } from 'kysely';
import { ageFor } from '#features/academic/contract/age.ts';
import {
  candidateStates,
  endedStates,
  type InquiryState,
  inquiryEdits,
  inquiryTransitions,
  processStates,
} from '#features/admission-form/contract/state.ts';
import { lookupsOf } from '#features/school/api.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { User, UserContext } from '#kit/server/context.ts';
import { overOneConnection } from '#kit/server/database/database.ts';
import { toOutput } from '#kit/server/database/row-map.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { readHistory } from '#kit/server/security/history.ts';
import { inquiryApi } from '../../contract/inquiry.ts';
import { letterApi } from '../../contract/letter.ts';
import { decision, notOfferedReasons, processApi, shownPayment, withdrawnReasons } from '../../contract/process.ts';
import { reviewApi } from '../../contract/review.ts';
import type { Quota, SeatRow } from '../../contract/seat.ts';
import { slotApi } from '../../contract/slot.ts';
import { mayCall } from '../abilities.ts';
import { proposedSeat, takesSeat } from '../seat/seat-lock.ts';
import { isSeatReached, readSeats } from '../seat/seat-read.ts';
import { decide, lacksInteraction, undoDecisions } from './decide.ts';
import { askWaiver } from './fee-waiver.ts';
import { accept, pay, reversePayment } from './payment.ts';
import { extend, move, notNeeded, rejectApplication, reopenApplication, withdrawApplication } from './process-act.ts';
import { isApplication, rankOf } from './process-list.ts';
import { nextOf, parentsOf, readStory } from './process-story.ts';
import { release, releases, stopRelease } from './release.ts';

/** True of an `inquiry` with a slot of this assessor, until a week after it. */
const isAssessed = ({ sets, staffId }: User) =>
  sets.includes('assessor')
    ? sql<boolean>`exists (select from admission_interaction own
        join admission_slot_assessor mine on mine.slot_id = own.slot_id and mine.staff_id = ${staffId}
        where own.inquiry_id = inquiry.id and own.status <> 'Cancelled' and mine.ends_at > school_now() - interval '7 days')`
    : sql<boolean>`false`;

const findApplication = ({ db, user }: UserContext, id: number) =>
  db
    .selectFrom('admission_inquiry as inquiry')
    .innerJoin('academic_year as year', 'year.id', 'inquiry.academic_year_id')
    .innerJoin('academic_branch as branch', 'branch.id', 'inquiry.branch_id')
    .innerJoin('academic_program as program', 'program.id', 'inquiry.program_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'inquiry.grade_id')
    .leftJoin('student', 'student.id', 'inquiry.student_id')
    .where('inquiry.id', '=', id)
    .where(sql<boolean>`(${isSeatReached(user, sql`inquiry.branch_id`)} or ${isAssessed(user)})`)
    .where(isApplication)
    .selectAll('inquiry')
    .select(isSeatReached(user, sql`inquiry.branch_id`).as('is_whole'))
    .select(['year.name as year', 'year.status as year_status', 'age_cutoff_on', 'branch.name as branch'])
    .select(['program.name as program', 'grade.name as grade', 'min_age_months', 'max_age_months'])
    .select('student.gr_no')
    .select(rankOf.as('rank'))
    .executeTakeFirst();
type Found = NonNullable<Awaited<ReturnType<typeof findApplication>>>;

const listDecisions = ({ db }: Pick<UserContext, 'db'>, id: number) =>
  db
    .selectFrom('admission_decision as decision')
    .innerJoin('staff', 'staff.id', 'decision.decided_by')
    .leftJoin('admission_seat as seat', 'seat.id', 'decision.seat_id')
    .leftJoin('academic_lookup as reason', 'reason.id', 'decision.reason_id')
    .where('inquiry_id', '=', id)
    .select([
      'decision.id',
      'decision.kind',
      'seat.quota',
      'conditions',
      'remark',
      'offer_until',
      'decided_at',
      'released_at',
    ])
    .select(['cancelled_at', 'staff.name as by', 'reason.name as reason'])
    .orderBy('decision.id', 'desc')
    .limit(50)
    .execute();

interface Interaction {
  id: number;
  kind: 'Interaction' | 'Assessment';
  startsAt: string;
  endsAt: string;
  place: string;
  status: string;
  assessors: string[];
  isOwn: boolean;
  outcomes: {
    staffId: number;
    by: string;
    recommendation: string;
    score: number | null;
    ofScore: number | null;
    note: string;
  }[];
}

/** The interactions of a child. Outcomes of others are left out until the reader has written one. */
async function listInteractions({ db, user, now }: UserContext, row: Found) {
  const { id, state } = row;
  const may = mayCall(user, slotApi);
  const isOpen = row.year_status !== 'Closed' && isIn(inquiryTransitions.planInteraction.from, state);
  const { rows } = await sql<Interaction>`
    select own.id, own.kind, to_json(own.starts_at) #>> '{}' as "startsAt",
      to_json(own.ends_at) #>> '{}' as "endsAt", coalesce(room.name, slot.place) as place,
      own.status,
      coalesce((select json_agg(staff.name order by staff.name) from admission_slot_assessor assessor
        join staff on staff.id = assessor.staff_id where assessor.slot_id = slot.id), '[]') as assessors,
      exists (select from admission_slot_assessor mine
        where mine.slot_id = slot.id and mine.staff_id = ${user.staffId}) as "isOwn",
      coalesce((select json_agg(json_build_object('staffId', staff.id, 'by', staff.name, 'recommendation', recommendation,
          'score', score, 'ofScore', of_score, 'note', note) order by staff.name)
        from admission_outcome outcome join staff on staff.id = outcome.staff_id
        where outcome.interaction_id = own.id), '[]') as outcomes
    from admission_interaction own
    join admission_slot slot on slot.id = own.slot_id
    left join academic_room room on room.id = slot.room_id
    where own.inquiry_id = ${id} order by own.starts_at desc limit 20`.execute(db);
  const readsAll = user.sets.some((set) => set === 'admissionHead' || set === 'principal');
  const isHead = user.sets.includes('admissionHead');
  return rows.map(({ outcomes, isOwn, ...interaction }) => {
    const isPlanned = interaction.status === 'Planned';
    const isLive = isOpen && interaction.status !== 'Cancelled';
    const isToday = toLocalDate(new Date(interaction.startsAt)) <= toLocalDate(now());
    const own = outcomes.find(({ staffId }) => staffId === user.staffId);
    const mayRead = readsAll || outcomes.some(({ staffId }) => staffId === user.staffId);
    const shown = mayRead ? outcomes : [];
    return {
      ...interaction,
      isOwn,
      results: outcomes.length,
      own: own ? { recommendation: own.recommendation, score: own.score, ofScore: own.ofScore, note: own.note } : null,
      may: {
        // Corrected until an outcome is stored.
        attend: isLive && isToday && may.attend && (row.is_whole || isOwn) && (isPlanned || outcomes.length === 0),
        write: isLive && may.outcome && (isOwn || isHead),
        cancel: isLive && may.cancel && row.is_whole && isPlanned,
      },
      outcomes: shown.map(({ staffId: _, ...outcome }) => outcome),
      // Whoever writes no decisions here learns nothing of those they can't read.
      hidden: isLive && may.outcome && isOwn && !own ? outcomes.length - shown.length : 0,
    };
  });
}

const listPayments = ({ db }: Pick<UserContext, 'db'>, id: number) =>
  db
    .selectFrom('admission_payment as payment')
    .innerJoin('staff', 'staff.id', 'payment.taken_by')
    .where('inquiry_id', '=', id)
    .select(['payment.id', 'slip_no', 'amount', 'mode', 'reference', 'paid_on', 'reversed_at', 'reverse_reason'])
    .select('staff.name as by')
    .select(
      sql<
        { id: number; receiptNo: string }[]
      >`coalesce((select json_agg(json_build_object('id', id, 'receiptNo', receipt_no)
        order by id) from fee_receipt where payment_id = payment.fee_payment_id), '[]')`.as('receipts'),
    )
    .orderBy('payment.id', 'desc')
    .limit(50)
    .execute();

/** The last request to waive the admission fee. */
const findWaiver = ({ db }: Pick<UserContext, 'db'>, id: number) =>
  db
    .selectFrom('approval')
    .leftJoin('staff', 'staff.id', 'approval.decided_by')
    .where('admission_inquiry_id', '=', id)
    .select(['approval.status', 'approval.reason', 'staff.name as by'])
    .orderBy('approval.id', 'desc')
    .executeTakeFirst();
type Waiver = NonNullable<Awaited<ReturnType<typeof findWaiver>>>;

const isIn = (states: readonly string[], state: string) => states.includes(state);

interface Known {
  seat: SeatRow | undefined;
  due: number;
  waiver: Waiver | undefined;
  hasLetter: boolean;
}

function abilitiesOf({ user }: UserContext, row: Found, { seat, due, waiver, hasLetter }: Known) {
  const { state } = row;
  const may = mayCall(user, processApi);
  const isOpen = row.year_status !== 'Closed';
  const isCandidate = isOpen && isIn(candidateStates, state);
  const isHeld = row.held_kind !== null;
  const isRunning = isOpen && isIn(processStates, state);
  return {
    plan:
      mayCall(user, { plan: slotApi.plan }).plan &&
      isCandidate &&
      !isHeld &&
      row.quota !== 'RTE' &&
      state !== 'Waitlisted' &&
      (seat?.interaction ?? 'None') !== 'None',
    decide: may.decide && isCandidate && !isHeld,
    undo: may.undo && isHeld,
    release: may.release && isOpen && isHeld,
    move: may.move && isRunning,
    extend: may.extend && isOpen && state === 'Offered',
    notNeeded: may.notNeeded && isOpen && !isHeld && seat !== undefined && lacksInteraction(row, seat),
    pay: may.pay && isOpen && due > 0 && isIn(['Offered', 'Offer expired'], state),
    accept: may.accept && isOpen && due === 0 && state === 'Offered',
    askWaiver: may.askWaiver && isOpen && due > 0 && state === 'Offered' && waiver?.status !== 'Pending',
    readHistory: may.history && row.is_whole,
    readLetter: mayCall(user, { print: letterApi.print }).print && row.is_whole && hasLetter,
    reverse: may.reversePayment && isOpen && state === 'Seat confirmed',
    reject: may.reject && isRunning,
    withdraw: may.withdraw && isRunning,
    reopen: may.reopen && isOpen && isIn(endedStates, state),
    note: mayCall(user, { log: inquiryApi.logFollowUp }).log && isIn(inquiryEdits.followUp.from, state),
    printForm: mayCall(user, { print: reviewApi.print }).print && row.is_whole,
    readForm: mayCall(user, { answers: reviewApi.answers }).answers,
  };
}

const read: Handler<typeof processApi.read> = async (ctx, { id }) => {
  const row = await findApplication(ctx, id);
  if (!row) throw new AppError('not_found', notFoundMessage);
  const [seats, decisions, payments, interactions, waiver, story] = await overOneConnection(ctx.db, (db) => {
    const reading = { ...ctx, db };
    const here = sql<boolean>`seat.academic_year_id = ${row.academic_year_id} and seat.branch_id = ${row.branch_id}`;
    return Promise.all([
      readSeats(reading, here),
      listDecisions(reading, id),
      listPayments(reading, id),
      listInteractions(reading, row),
      findWaiver(reading, id),
      readStory(reading, id),
    ]);
  });
  const place = seats.filter((seat) => seat.programId === row.program_id && seat.gradeId === row.grade_id);
  const proposed = proposedSeat(
    place.map((seat) => ({ ...seat, taken: seat.total - seat.reserved - seat.free })),
    row.quota,
  );
  const seat = seats.find((one) => one.id === (row.seat_id ?? proposed?.id));
  const isPaid = payments.some(({ reversed_at }) => !reversed_at);
  const isWaived = waiver?.status === 'Approved' && isIn(['Seat confirmed', 'Admitted'], row.state);
  const due = isPaid || isWaived ? 0 : (seat?.admissionFee ?? 0);
  const hasLetter = decisions.some(({ released_at }) => released_at !== null);
  const age = row.birth_date ? ageFor(row.birth_date, { ...row, name: row.grade }, row.age_cutoff_on) : undefined;
  const whole = toOutput(processApi.read.output, row, {
    may: abilitiesOf(ctx, row, { seat, due, waiver, hasLetter }),
    next: nextOf({ ...row, state: row.state as InquiryState }, { seat, due, met: interactions, now: ctx.now() }),
    ...story,
    family: parentsOf(row),
    child: [row.first_name, row.last_name].filter(Boolean).join(' ') || row.inquiry_no,
    academicYear: row.year,
    quota: row.quota as Quota,
    age: age ?? null,
    receivedOn: row.received_at ? toLocalDate(row.received_at) : '',
    sibling: row.sibling_names,
    seat: seat ?? null,
    hasSeat: row.seat_id !== null,
    otherSeats: seats
      .filter((one) => one.id !== row.seat_id && (one.gradeId !== row.grade_id || takesSeat(row.quota, one.quota)))
      .map((one) => ({ id: one.id, name: [one.grade, one.quota].join(', '), free: one.free })),
    interactions,
    decisions: decisions.map((one) =>
      toOutput(decision, one, { at: one.decided_at.toISOString(), isCancelled: one.cancelled_at !== null }),
    ),
    payments: payments.map((one) =>
      toOutput(shownPayment, one, {
        amount: Number(one.amount),
        takenBy: one.by,
        isReversed: one.reversed_at !== null,
      }),
    ),
    due,
    waiver: waiver ? { status: waiver.status, reason: waiver.reason, by: waiver.by ?? '' } : null,
    student: row.student_id ? { id: row.student_id, grNo: row.gr_no ?? '' } : null,
  });
  const isMeeting = whole.next === 'meet' || whole.next === 'attend' || whole.next === 'result';
  return row.is_whole ? whole : { ...whole, ...hiddenFromAssessors, ...(!isMeeting && { next: 'none' as const }) };
};

/** An assessor reads the child and its own interactions, not what the school decides or what the family pays. */
const hiddenFromAssessors = {
  quota: null,
  next: 'none' as const,
  verifiedOn: '',
  papers: { all: 0, verified: 0, missing: [] },
  notes: [],
  family: [],
  sibling: '',
  seat: null,
  hasSeat: false,
  otherSeats: [],
  rank: null,
  offerExpiresOn: '',
  interactionWaivedReason: '',
  endedReason: '',
  decisions: [],
  payments: [],
  due: 0,
  waiver: null,
  student: null,
};

const history: Handler<typeof processApi.history> = async (ctx, { id, before }) => {
  const found = await findApplication(ctx, id);
  if (!found?.is_whole) throw new AppError('not_found', notFoundMessage);
  return readHistory(ctx, 'admission_inquiry', { id, before });
};

export default routes(processApi, {
  read,
  history,
  notOfferedReasons: lookupsOf(notOfferedReasons),
  withdrawnReasons: lookupsOf(withdrawnReasons),
  decide,
  undo: undoDecisions,
  release,
  releases,
  stopRelease,
  move,
  extend,
  notNeeded,
  reject: rejectApplication,
  withdraw: withdrawApplication,
  reopen: reopenApplication,
  pay,
  reversePayment,
  accept,
  askWaiver,
});
