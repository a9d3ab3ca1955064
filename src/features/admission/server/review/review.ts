import { sql } from 'kysely';
import { ageFor } from '#features/academic/contract/age.ts';
import {
  nameFormFile,
  readAadhaar,
  readForm,
  readFormFile,
  readSubmission,
  requireState,
  sealReply,
  sendReply,
  stateAfter,
} from '#features/admission-form/api.ts';
import type { ReviewSection } from '#features/admission-form/contract/correction.ts';
import { publishedAs } from '#features/admission-form/contract/state.ts';
import { lookupsOf } from '#features/school/api.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { overOneConnection } from '#kit/server/database/database.ts';
import { toOutput, toWire } from '#kit/server/database/row-map.ts';
import { daysBetween, toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { auditReveal } from '#kit/server/security/reveal.ts';
import { inquiryApi } from '../../contract/inquiry.ts';
import { processApi } from '../../contract/process.ts';
import { inquiryFields } from '../../contract/record.ts';
import { reviewApi, reviewedDocument, withdrawnReasons } from '../../contract/review.ts';
import { slotApi } from '../../contract/slot.ts';
import { mayCall } from '../abilities.ts';
import { lacksInteraction } from '../decision/decide.ts';
import { leaveProcess } from '../decision/held.ts';
import { assignReviewer } from '../inquiry/assign.ts';
import { endInquiry, readReason } from '../inquiry/ending.ts';
import { lockAnswers, lockInquiry, saveInquiry } from '../inquiry/lock.ts';
import { findSimilar } from '../inquiry/similar.ts';
import { isReached, requireInquiry, requireSubmitted } from '../scope.ts';
import { proposedSeat } from '../seat/seat-lock.ts';
import { readSeats } from '../seat/seat-read.ts';
import { changedAnswers } from './changed-answers.ts';
import { requestCorrection } from './correction.ts';
import { listMessages } from './family-message.ts';
import { printAnswers } from './print.ts';
import { remindCorrections } from './remind-correction.ts';
import {
  acceptSection,
  addRemark,
  decideDocument,
  documentsVerdict,
  listAbsences,
  listDocuments,
  listVerdicts,
  listWaivers,
  missingDocuments,
  removeRemark,
  start,
  undoDocument,
  undoSection,
} from './verdict.ts';

const read: Handler<typeof reviewApi.read> = async (ctx, { id }) => {
  const row = await ctx.db
    .selectFrom('admission_inquiry as inquiry')
    .innerJoin('academic_grade as grade', 'grade.id', 'inquiry.grade_id')
    .innerJoin('academic_year as year', 'year.id', 'inquiry.academic_year_id')
    .leftJoin('staff as reviewer', 'reviewer.id', 'inquiry.reviewer_id')
    .where('inquiry.id', '=', id)
    .where('inquiry.received_at', 'is not', null)
    .where(isReached(ctx.user))
    .selectAll('inquiry')
    .select(['grade.name as grade', 'grade.min_age_months', 'grade.max_age_months'])
    .select(['year.name as year', 'year.age_cutoff_on', 'reviewer.name as reviewer'])
    .executeTakeFirst();
  if (!row?.received_at) throw new AppError('not_found', notFoundMessage);
  const receivedAt = row.received_at;
  const family = toWire(inquiryFields, row);
  const [documents, waivers, absences, before, staffParent, notes, messages, corrections, similar, next] =
    await overOneConnection(ctx.db, (db) => {
      const reading = { ...ctx, db };
      return Promise.all([
        listDocuments(reading, id),
        listWaivers(reading, id),
        listAbsences(reading, id),
        readSubmission(reading, id, 'before'),
        findStaffParent(reading, id),
        listNotes(reading, id),
        listMessages(reading, id),
        listCorrections(reading, id),
        findSimilar(reading, family, id),
        findNext(reading, receivedAt, id),
      ]);
    });
  const waived = waivers.map(({ what }) => what);
  const known = new Set(
    ((before?.documents ?? []) as { documentFilePath: string }[]).map((old) => old.documentFilePath),
  );
  return toOutput(reviewApi.read.output, row, {
    may: abilitiesOf(ctx, row.state),
    child: [row.first_name, row.last_name].filter(Boolean).join(' ') || row.inquiry_no,
    academicYear: row.year,
    age: ageFor(family.birthDate, { ...row, name: row.grade }, row.age_cutoff_on) ?? null,
    contact: contactOf(row),
    submittedAt: receivedAt.toISOString(),
    waitingDays: daysBetween(toLocalDate(receivedAt), toLocalDate(ctx.now())),
    reviewer: row.reviewer_id && row.reviewer ? { id: row.reviewer_id, name: row.reviewer } : null,
    sections: await listVerdicts(ctx, id, documentsVerdict(documents, waived)),
    documents: documents.map((document) =>
      toOutput(reviewedDocument, document, {
        description: document.other_description,
        isNew: before !== undefined && !known.has(document.file_id),
        result: document.result as 'Verified' | null,
        isOriginalSeen: document.is_original_seen ?? false,
      }),
    ),
    missing: missingDocuments(documents, waived),
    waivers,
    absences,
    staffParent,
    notes,
    messages,
    corrections,
    similar: similar.map(({ parents: _, ...other }) => other),
    nextStep: row.state === 'Verified' ? await stepAfterReview(ctx, row) : null,
    next,
  });
};

interface Verified {
  academic_year_id: number;
  branch_id: number;
  program_id: number;
  grade_id: number;
  quota: string;
  state: string;
  interaction_waived_reason: string;
}

/** What a verified form needs next, where this person may do it. */
async function stepAfterReview(ctx: UserContext, row: Verified) {
  const place = sql<boolean>`seat.academic_year_id = ${row.academic_year_id} and seat.branch_id = ${row.branch_id}
    and seat.program_id = ${row.program_id} and seat.grade_id = ${row.grade_id}`;
  const seats = await readSeats(ctx, place);
  const seat = proposedSeat(
    seats.map((one) => ({ ...one, taken: one.total - one.reserved - one.free })),
    row.quota,
  );
  const may = mayCall(ctx.user, { plan: slotApi.plan, offer: processApi.decide });
  const step = seat && lacksInteraction(row, seat) ? 'plan' : 'offer';
  return may[step] ? step : 'wait';
}

interface Parents {
  father_mobile: string | null;
  father_first_name: string | null;
  father_last_name: string | null;
  mother_mobile: string | null;
  mother_first_name: string | null;
  mother_last_name: string | null;
}

/** The parent to call: the father where he has a number. */
function contactOf(row: Parents) {
  const nameOf = (...parts: (string | null)[]) => parts.filter(Boolean).join(' ');
  if (row.father_mobile)
    return {
      name: nameOf(row.father_first_name, row.father_last_name),
      parent: 'Father' as const,
      mobile: row.father_mobile,
    };
  return row.mother_mobile
    ? {
        name: nameOf(row.mother_first_name, row.mother_last_name),
        parent: 'Mother' as const,
        mobile: row.mother_mobile,
      }
    : null;
}

/** What the user may do with a form in this state. */
function abilitiesOf({ user }: UserContext, state: string) {
  const { addNote, acceptSection, reject } = reviewApi;
  const may = mayCall(user, { review: addNote, decide: acceptSection, reject, reopen: inquiryApi.reopen });
  const isEnded = state === 'Rejected' || state === 'Withdrawn';
  return {
    review: may.review,
    decide: may.decide && (state === 'Submitted' || state === 'Under review'),
    reject: may.reject && !isEnded,
    reopen: may.reopen && isEnded,
  };
}

/** The form to review that has waited longest after this one. */
async function findNext({ db, user }: UserContext, receivedAt: Date, id: number) {
  const next = await db
    .selectFrom('admission_inquiry as inquiry')
    .where('state', 'in', ['Submitted', 'Under review'])
    .where(isReached(user))
    .where(sql<boolean>`(received_at, id) > (${receivedAt}::timestamptz, ${id}::integer)`)
    .select('id')
    .orderBy('received_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return next?.id ?? null;
}

/** The member of staff with the employee number that the family gives on page 2. */
async function findStaffParent({ db }: UserContext, id: number) {
  const row = await db
    .selectFrom('admission_parent_info as info')
    .leftJoin('staff', (join) =>
      join.on(sql<boolean>`lower(staff.employee_number) = lower(trim(info.staff_employee_id))`),
    )
    .where('inquiry_id', '=', id)
    .where('works_here', '=', true)
    .select(['info.staff_employee_id', 'staff.id', 'staff.name'])
    .executeTakeFirst();
  if (!row) return null;
  const { staff_employee_id: employeeNumber, id: staffId, name } = row;
  return { employeeNumber, staff: staffId !== null && name !== null ? { id: staffId, name } : null };
}

async function listNotes({ db }: UserContext, id: number) {
  const rows = await db
    .selectFrom('admission_note as note')
    .innerJoin('staff', 'staff.id', 'note.staff_id')
    .where('inquiry_id', '=', id)
    .select(['note.id', 'note.note', 'staff.name as by', 'note.written_at'])
    .orderBy('note.id', 'desc')
    .limit(50)
    .execute();
  return rows.map(({ written_at, ...row }) => ({ ...row, at: written_at.toISOString() }));
}

async function listCorrections({ db }: UserContext, id: number) {
  const rows = await db
    .selectFrom('admission_correction as correction')
    .innerJoin('staff', 'staff.id', 'correction.staff_id')
    .where('inquiry_id', '=', id)
    .select(['correction.id', 'staff.name', 'requested_at', 'answered_at'])
    .orderBy('correction.id', 'desc')
    .limit(20)
    .execute();
  const remarks = await db
    .selectFrom('admission_remark')
    .where('inquiry_id', '=', id)
    .where('correction_id', 'is not', null)
    .select(['id', 'correction_id', 'section', 'field', 'remark'])
    .orderBy('id')
    .execute();
  return rows.map(({ id: correction, name, requested_at, answered_at }) => ({
    id: correction,
    at: requested_at.toISOString(),
    by: name,
    answeredAt: answered_at?.toISOString() ?? null,
    remarks: remarks
      .filter(({ correction_id }) => correction_id === correction)
      .map(({ id, section, field, remark }) => ({ id, section: section as ReviewSection, field, remark })),
  }));
}

const answers: Handler<typeof reviewApi.answers> = async (ctx, { id }) => {
  await requireSubmitted(ctx, id);
  const [form, before] = await overOneConnection(ctx.db, (db) => {
    const reading = { ...ctx, db };
    return Promise.all([readForm(reading, id), readSubmission(reading, id, 'before')]);
  });
  const last = before && (await readSubmission(ctx, id));
  await audit(ctx, { action: 'admission.form.viewed', entity: 'admission_inquiry', entityId: id });
  return { ...form, changed: before && last ? changedAnswers(before, last) : [] };
};

const file: Handler<typeof reviewApi.file> = async (ctx, { id, file }) => {
  await requireSubmitted(ctx, id);
  const found = await readFormFile(ctx, id, file);
  const name = await nameFormFile(ctx, id, file);
  const details: Record<string, string> = name === undefined ? {} : { Document: name };
  await audit(ctx, { action: 'admission.file.viewed', entity: 'admission_inquiry', entityId: id, details });
  return found;
};

const document: Handler<typeof reviewApi.document> = async (ctx, { id, document }) => {
  await requireSubmitted(ctx, id);
  const row = await ctx.db
    .selectFrom('admission_document')
    .where('id', '=', document)
    .where('inquiry_id', '=', id)
    .select(['file_id', 'name'])
    .executeTakeFirstOrThrow(notFound);
  const found = await readFormFile(ctx, id, row.file_id);
  const details = { Document: row.name };
  await audit(ctx, { action: 'admission.file.viewed', entity: 'admission_inquiry', entityId: id, details });
  return found;
};

const notAccepted = text`Accept every section and verify every document first.`;

const verify: Handler<typeof reviewApi.verify> = async (ctx, { id, version }) => {
  const inquiry = await lockInquiry(ctx, id, version);
  const state = stateAfter('verify', inquiry.state);
  const waived = (await listWaivers(ctx, id)).map(({ what }) => what);
  const verdicts = await listVerdicts(ctx, id, documentsVerdict(await listDocuments(ctx, id), waived));
  const open = verdicts.filter(({ result }) => result !== 'Accepted').map(({ section }) => section);
  if (open.length > 0) throw new AppError('conflict', notAccepted, { data: { sections: open } });
  await saveInquiry(ctx, inquiry, 'admission.inquiry.verified', { state, status: publishedAs[state] });
  return {};
};

const reviewAgain: Handler<typeof reviewApi.reviewAgain> = async (ctx, { id, version, reason }) => {
  const inquiry = await lockInquiry(ctx, id, version);
  const state = stateAfter('reviewAgain', inquiry.state);
  const values = { ...(await leaveProcess(ctx, inquiry)), state, status: publishedAs[state] };
  await saveInquiry(ctx, inquiry, 'admission.review.started', values, { Reason: reason });
  return {};
};

const reject: Handler<typeof reviewApi.reject> = (ctx, input) => endInquiry(ctx, 'reject', input);
const withdraw: Handler<typeof reviewApi.withdraw> = async (ctx, input) =>
  endInquiry(ctx, 'withdraw', { ...input, reason: () => readReason(ctx, 'Reason withdrawn', input) });

const parentColumns = { Father: 'father_waived_reason', Mother: 'mother_waived_reason' } as const;
const isParent = (what: string): what is 'Father' | 'Mother' => what in parentColumns;

const waive: Handler<typeof reviewApi.waive> = async (ctx, { id, answersVersion, what, reason }) => {
  const inquiry = await lockAnswers(ctx, id, answersVersion);
  requireState('waive', inquiry.state);
  if (!isParent(what)) {
    const waiver = { reason, staff_id: ctx.user.staffId, waived_at: ctx.now() };
    await ctx.db
      .insertInto('admission_document_waiver')
      .values({ inquiry_id: id, name: what, ...waiver })
      .onConflict((conflict) => conflict.columns(['inquiry_id', 'name']).doUpdateSet(waiver))
      .execute();
  }
  const values = isParent(what) ? { [parentColumns[what]]: reason } : {};
  await saveInquiry(ctx, inquiry, 'admission.waiver.given', values, { Waived: what, Reason: reason });
  return {};
};

const endWaiver: Handler<typeof reviewApi.endWaiver> = async (ctx, { id, answersVersion, waived: what }) => {
  const inquiry = await lockAnswers(ctx, id, answersVersion);
  requireState('waive', inquiry.state);
  await ctx.db.deleteFrom('admission_document_waiver').where('inquiry_id', '=', id).where('name', '=', what).execute();
  const values = isParent(what) ? { [parentColumns[what]]: null } : {};
  await saveInquiry(ctx, inquiry, 'admission.waiver.ended', values, { Waived: what });
  return {};
};

const addNote: Handler<typeof reviewApi.addNote> = async (ctx, { id, note }) => {
  await requireSubmitted(ctx, id);
  await ctx.db
    .insertInto('admission_note')
    .values({ inquiry_id: id, note, staff_id: ctx.user.staffId, written_at: ctx.now() })
    .execute();
  await audit(ctx, { action: 'admission.note.added', entity: 'admission_inquiry', entityId: id });
  return {};
};

/** A message of this family, locked. */
async function lockMessage(ctx: UserContext, id: number, message: number) {
  await requireInquiry(ctx, id);
  return ctx.db
    .selectFrom('admission_message')
    .where('id', '=', message)
    .where('inquiry_id', '=', id)
    .select(['read_at', 'replied_at'])
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
}

const markRead: Handler<typeof reviewApi.markRead> = async (ctx, { id, message }) => {
  const { read_at } = await lockMessage(ctx, id, message);
  if (read_at) return {};
  await ctx.db
    .updateTable('admission_message')
    .set({ read_at: ctx.now(), read_by: ctx.user.staffId })
    .where('id', '=', message)
    .execute();
  await audit(ctx, { action: 'admission.message.read', entity: 'admission_inquiry', entityId: id });
  return {};
};

const noEmail = text`The family has no email address. Call the family and log a follow-up.`;
const repliedAlready = text`This message has a reply already.`;

const reply: Handler<typeof reviewApi.reply> = async (ctx, { id, message, words }) => {
  const found = await lockMessage(ctx, id, message);
  if (found.replied_at) throw new AppError('conflict', repliedAlready);
  const now = ctx.now();
  const by = ctx.user.staffId;
  await ctx.db
    .updateTable('admission_message')
    .set({
      reply: sealReply(ctx, message, words),
      replied_at: now,
      replied_by: by,
      read_at: found.read_at ?? now,
      ...(!found.read_at && { read_by: by }),
    })
    .where('id', '=', message)
    .execute();
  if ((await sendReply(ctx, id, message)) === 0) throw new AppError('conflict', noEmail);
  await audit(ctx, { action: 'admission.message.replied', entity: 'admission_inquiry', entityId: id });
  return {};
};

const reveal: Handler<typeof reviewApi.reveal> = async (ctx, { id, reason }) => {
  await requireSubmitted(ctx, id);
  await auditReveal(ctx, { action: 'admission.aadhaar.revealed', entity: 'admission_inquiry', entityId: id, reason });
  const aadhaar = await readAadhaar(ctx, id);
  if (aadhaar === undefined) throw new AppError('not_found', notFoundMessage);
  return { aadhaar };
};

export const reviewRoutes = routes(reviewApi, {
  read,
  answers,
  print: printAnswers,
  file,
  document,
  start,
  acceptSection,
  undoSection,
  addRemark,
  removeRemark,
  decideDocument,
  undoDocument,
  requestCorrection,
  verify,
  reviewAgain,
  reject,
  withdraw,
  withdrawnReasons: lookupsOf(withdrawnReasons),
  waive,
  endWaiver,
  addNote,
  markRead,
  reply,
  reveal,
  assign: assignReviewer,
  remindMany: remindCorrections,
});
