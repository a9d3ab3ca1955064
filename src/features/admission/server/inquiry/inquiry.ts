import { sql } from 'kysely';
import { ageFor } from '#features/academic/contract/age.ts';
import { isLinkTextRefused, renewLink, requireState, revokeLink as revoke } from '#features/admission-form/api.ts';
import { inquiryEdits, openStates } from '#features/admission-form/contract/state.ts';
import { lookupsOf, offeredLanguages } from '#features/school/api.ts';
import { tooMany } from '#features/sign-in/api.ts';
import { studentsLike } from '#features/student/api.ts';
import { AppError, fieldRefusal, notFoundMessage, problemMessage, staleMessage } from '#kit/contract/errors.ts';
import { languageNamed } from '#kit/contract/language-names.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Database, overOneConnection } from '#kit/server/database/database.ts';
import { toOutput, toRow, toWire } from '#kit/server/database/row-map.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { freshHours } from '#kit/server/record/added.ts';
import { changesOf } from '#kit/server/record/changes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readHistory } from '#kit/server/security/history.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { inquiryApi, shownFollowUp } from '../../contract/inquiry.ts';
import { inquiryFields, leadSources, lostReasons } from '../../contract/record.ts';
import { reviewApi } from '../../contract/review.ts';
import { siblingApi } from '../../contract/sibling.ts';
import { mayCall } from '../abilities.ts';
import { listMessages } from '../review/family-message.ts';
import { isReached, requireInquiry } from '../scope.ts';
import { assign } from './assign.ts';
import { tellAssigned } from './assigned-notice.ts';
import { endInquiry, readReason, reopenInquiry } from './ending.ts';
import { extendLink, withFamily } from './extend-link.ts';
import { logFollowUp, lostInCall, noAnswer, reached, visit } from './follow-up.ts';
import { undoVerdicts } from './identity.ts';
import { copyLink, differentText, readMessage, revokeLink, sendForm, sendingWordsOf, sendTo } from './link.ts';
import { progress } from './list.ts';
import { lockInquiry, saveInquiry } from './lock.ts';
import { addInquiries, boardOf, checkPlace, lockChild, readPlaces, type Values } from './new-inquiry.ts';
import { readBranches, readOpenYears } from './pick-lists.ts';
import { remove } from './remove.ts';
import { remindMany, sendMany } from './send-many.ts';
import { findSameChildren, findSimilar, findStaffParents } from './similar.ts';
import { printSlip } from './slip.ts';
import { openWhatsApp } from './whatsapp.ts';

const readGrade = ({ db }: UserContext, id: number) =>
  db
    .selectFrom('academic_grade')
    .where('id', '=', id)
    .select(['name', 'min_age_months', 'max_age_months'])
    .executeTakeFirst();

/** Reads the places of one inquiry. Throws `invalid` where it can't be for them. */
async function requirePlace(ctx: UserContext, values: Values, before?: string) {
  const places = await readPlaces(ctx, [values]);
  const fields = checkPlace(ctx.user, places, values, before);
  if (Object.keys(fields).length > 0) throw new AppError('invalid', problemMessage, { fields });
  return boardOf(places, values);
}

const create: Handler<typeof inquiryApi.create> = async (ctx, { messageLanguage, ...input }) => {
  const { isAnotherChild, sendsForm, ...values } = input;
  if (messageLanguage && !(await offeredLanguages(ctx)).includes(languageNamed(messageLanguage)))
    throw fieldRefusal(
      'messageLanguage',
      text`Families are not offered ${{ language: { id: messageLanguage } }}. An Admin offers it in Settings, Languages.`,
    );
  const boardId = await requirePlace(ctx, values);
  await lockChild(ctx, values);
  const [same] = await findSameChildren(ctx, [values]);
  if (same && !isAnotherChild) {
    const { inquiryNo } = same;
    throw fieldRefusal(
      'isAnotherChild',
      text`${{ inquiryNo }} has this name and birth date. Tick this for another child.`,
    );
  }
  const details: Record<string, string> = messageLanguage ? { 'Language of messages': messageLanguage } : {};
  const [made] = await addInquiries(ctx, [{ values, boardId }], details);
  const id = made?.id ?? 0;
  // Before the form is sent, so that its first message is in it.
  if (messageLanguage)
    await ctx.db
      .updateTable('admission_inquiry')
      .set({ language: languageNamed(messageLanguage), language_by: 'Office' })
      .where('id', '=', id)
      .execute();
  if (made && values.assignedToId) await tellAssigned(ctx, values.assignedToId, { id, number: made.inquiryNo });
  const recipient = values.fatherEmail || values.motherEmail || values.fatherMobile || values.motherMobile;
  if (sendsForm) {
    const isEmail = recipient.includes('@');
    await sendTo(ctx, { id, state: 'New' }, isEmail ? 'email' : 'sms', [recipient.toLowerCase()]);
    if (!isEmail && (await isLinkTextRefused(ctx, id))) throw fieldRefusal('sendsForm', differentText);
  }
  return { id, version: 1 };
};

/** Questions of one account about families, by whatever number or name. */
const checks = { kind: 'inquiry-check', most: 60, windowSeconds: 60 };

const check: Handler<typeof inquiryApi.check> = async (ctx, { gradeId, ...family }) => {
  const wait = await countHit(ctx.db, checks, String(ctx.user.id));
  if (wait > 0) throw tooMany(wait);
  const similar = await findSimilar(ctx, family);
  const staff = await findStaffParents(ctx, family);
  const { firstName, lastName, birthDate } = family;
  const students =
    firstName === '' || birthDate === ''
      ? []
      : await studentsLike(ctx, {
          ...{ firstName, lastName, birthDate, gender: '', grNo: '', branchId: null },
          mobiles: [family.fatherMobile, family.motherMobile].filter(Boolean),
        });
  if (similar.length + staff.length > 0)
    await audit(ctx, {
      action: 'admission.inquiry.checked',
      entity: 'admission_inquiry',
      entityId: 0,
      details: { Inquiries: similar.map(({ inquiryNo }) => inquiryNo).join(', ') || '–' },
    });
  const grade = gradeId === null ? undefined : await readGrade(ctx, gradeId as number);
  const year = await ctx.db
    .selectFrom('academic_year')
    .where('id', '=', family.academicYearId ?? 0)
    .select('age_cutoff_on')
    .executeTakeFirst();
  return {
    similar: similar.map(({ parents: _, ...row }) => row),
    students: students.filter(({ isAsked }) => isAsked),
    parents: similar[0]?.parents ?? null,
    worksHere: staff.length > 0,
    age: (grade && year && ageFor(family.birthDate, grade, year.age_cutoff_on)) ?? null,
  };
};

const read: Handler<typeof inquiryApi.read> = async (ctx, { id }) => {
  const [row, followUps, sent, messages] = await overOneConnection(ctx.db, (db) => {
    const reading = { ...ctx, db };
    return Promise.all([findInquiry(reading, id), listFollowUps(db, id), listSent(db, id), listMessages(reading, id)]);
  });
  if (!row) throw new AppError('not_found', notFoundMessage);
  return toOutput(inquiryApi.read.output, row, {
    may: abilitiesOf(ctx, row),
    createdOn: toLocalDate(row.created_at),
    values: toWire(inquiryFields, row),
    academicYear: row.year,
    leadSource: row.source ?? '',
    assignedTo: row.assigned ?? '',
    staffParent: row.staff_parent_id && row.staff_parent ? { id: row.staff_parent_id, name: row.staff_parent } : null,
    link: {
      expiresOn: toLocalDate(row.link_expires_at),
      isRevoked: row.link_revoked_at !== null,
      isExpired: row.link_expires_at <= ctx.now(),
    },
    followUps: followUps.map((contact) =>
      toOutput(shownFollowUp, contact, { at: contact.contacted_at.toISOString(), by: contact.name }),
    ),
    messages,
    sent: sent.map(({ id, channel, queued_at, template, ...message }) => ({
      id,
      at: queued_at.toISOString(),
      about: messageNames[template] ?? text`Message`,
      channel: channel === 'email' ? ('Email' as const) : ('SMS' as const),
      status: sendingWordsOf(message),
    })),
  });
};

/** What the user may do with an inquiry in this state. */
function abilitiesOf({ user, now }: UserContext, { state, created_at }: { state: string; created_at: Date }) {
  const { update, remove, logFollowUp, sendForm, extendLink, lose, reopen } = inquiryApi;
  const may = mayCall(user, {
    update,
    remove,
    logFollowUp,
    sendForm,
    extendLink,
    lose,
    reopen,
    linkSibling: siblingApi.link,
    reply: reviewApi.reply,
  });
  const isOpen = (openStates as readonly string[]).includes(state);
  return {
    keep: may.update,
    reply: may.reply,
    update: may.update && (inquiryEdits.edit.from as readonly string[]).includes(state),
    remove: may.remove && state === 'New' && created_at > new Date(now().getTime() - freshHours * 3_600_000),
    logFollowUp: may.logFollowUp && isOpen,
    sendForm: may.sendForm && isOpen,
    extendLink: may.extendLink && withFamily.includes(state),
    linkSibling: may.linkSibling && isOpen,
    lose: may.lose && isOpen,
    reopen: may.reopen && state === 'Lost',
  };
}

const findInquiry = ({ db, user }: UserContext, id: number) =>
  db
    .selectFrom('admission_inquiry as inquiry')
    .innerJoin('academic_year as year', 'year.id', 'inquiry.academic_year_id')
    .innerJoin('academic_branch as branch', 'branch.id', 'inquiry.branch_id')
    .innerJoin('academic_program as program', 'program.id', 'inquiry.program_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'inquiry.grade_id')
    .leftJoin('academic_lookup as source', 'source.id', 'inquiry.lead_source_id')
    .leftJoin('staff as assigned', 'assigned.id', 'inquiry.assigned_to_id')
    .leftJoin('staff as parent', 'parent.id', 'inquiry.staff_parent_id')
    .where('inquiry.id', '=', id)
    .where(isReached(user))
    .selectAll('inquiry')
    .select([
      'year.name as year',
      'branch.name as branch',
      'program.name as program',
      'grade.name as grade',
      'source.name as source',
    ])
    .select(['assigned.name as assigned', 'parent.name as staff_parent', progress.as('progress')])
    .executeTakeFirst();

const listFollowUps = (db: Database, id: number) =>
  db
    .selectFrom('admission_follow_up as contact')
    .innerJoin('staff', 'staff.id', 'contact.staff_id')
    .where('inquiry_id', '=', id)
    .select(['contact.id', 'contacted_at', 'staff.name', 'channel', 'outcome', 'note', 'next_on'])
    .orderBy('contact.id', 'desc')
    .limit(50)
    .execute();

/** What is sent to a family, by template. */
const messageNames: Record<string, Text> = {
  'admission.link': text`Form`,
  'admission.reminder': text`Reminder`,
  'admission.correction': text`Correction`,
  'admission.correction-reminder': text`Reminder of the correction`,
  'admission.submitted': text`Form received`,
  'admission.meeting': text`Invitation`,
  'admission.choose-time': text`Invitation to choose a time`,
  'admission.decision': text`Decision`,
  'admission.offer-reminder': text`Reminder of the offer`,
  'admission.welcome': text`Welcome`,
  'admission.reply': text`Reply`,
};

/** The messages to the family; a reply's subject is the message that it answers. */
const listSent = (db: Database, id: number) =>
  db
    .selectFrom('outbox')
    .where('template', 'in', Object.keys(messageNames))
    .where(sql<boolean>`case template when 'admission.reply'
      then subject_id in (select id from admission_message where inquiry_id = ${id}) else subject_id = ${id} end`)
    .select(['id', 'channel', 'template', 'status', 'last_error', 'queued_at'])
    .orderBy('id', 'desc')
    .limit(20)
    .execute();

/** The saved version for a form that started from an older one. */
async function readVersion(ctx: UserContext, id: number) {
  const { version, values, academicYear, branch, program, grade, leadSource, assignedTo } = await read(ctx, { id });
  const names = {
    academicYearId: academicYear,
    branchId: branch,
    programId: program,
    gradeId: grade,
    leadSourceId: leadSource,
    assignedToId: assignedTo,
  };
  return { version, saved: values, names };
}

const update: Handler<typeof inquiryApi.update> = async (ctx, { id, version, ...values }) => {
  const before = await lockInquiry(ctx, id);
  if (before.version !== version) throw new AppError('stale', staleMessage, { data: await readVersion(ctx, id) });
  requireState('edit', before.state);
  const boardId = await requirePlace(ctx, values, before.age_reason);
  const [staffParent] = await findStaffParents(ctx, values);
  const known = toWire(inquiryFields, before);
  await saveInquiry(
    ctx,
    before,
    'admission.inquiry.changed',
    {
      ...toRow(inquiryFields, values),
      board_id: boardId,
      staff_parent_id: staffParent?.id ?? null,
      ...(await undoVerdicts(ctx, before, known, values)),
    },
    changesOf(inquiryFields, known, values),
  );
  if (values.assignedToId && values.assignedToId !== before.assigned_to_id)
    await tellAssigned(ctx, values.assignedToId, { id, number: before.inquiry_no });
  const contacts = ['fatherMobile', 'motherMobile', 'fatherEmail', 'motherEmail'] as const;
  // The holder of the old number or address may have the link; one that was not sent yet may have been asked for.
  if (contacts.some((name) => known[name] !== '' && known[name] !== values[name]))
    await (before.state === 'New' ? renewLink : revoke)(ctx, ctx.user.name, id);
  return { id, version: version + 1 };
};

const lose: Handler<typeof inquiryApi.lose> = async (ctx, input) =>
  endInquiry(ctx, 'lose', { ...input, reason: () => readReason(ctx, 'Reason lost', input) });

const reopen: Handler<typeof inquiryApi.reopen> = (ctx, input) => reopenInquiry(ctx, input);

const openYears: Handler<typeof inquiryApi.openYears> = (ctx, input) => readOpenYears(ctx, input);

const history: Handler<typeof inquiryApi.history> = async (ctx, { id, before }) => {
  await requireInquiry(ctx, id);
  return readHistory(ctx, 'admission_inquiry', { id, before });
};

const branches: Handler<typeof inquiryApi.branches> = (ctx, input) => readBranches(ctx, input);

export const inquiryRoutes = routes(inquiryApi, {
  leadSources: lookupsOf(leadSources),
  lostReasons: lookupsOf(lostReasons),
  openYears,
  branches,
  create,
  check,
  read,
  update,
  history,
  logFollowUp,
  noAnswer,
  reached,
  visit,
  lostInCall,
  sendForm,
  message: readMessage,
  copyLink,
  slip: printSlip,
  revokeLink,
  extendLink,
  openWhatsApp,
  lose,
  reopen,
  remove,
  assign,
  sendMany,
  remindMany,
});
