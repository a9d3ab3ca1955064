import { sql, type Updateable } from 'kysely';
import type { AdmissionInquiry } from '#database/types.ts';
import { createInquiry, readLink, revokeLink as revoke, sendLink, stateAfter } from '#features/admission-form/api.ts';
import { ageOn } from '#features/admission-form/contract/age.ts';
import type { InquiryAct, InquiryState } from '#features/admission-form/contract/state.ts';
import { tooMany } from '#features/sign-in/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal, notFoundMessage, staleMessage } from '#kit/contract/errors.ts';
import { fieldInfo, normalMobile } from '#kit/contract/fields.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readHistory } from '#kit/server/security/history.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { type genders, inquiryApi, inquiryFields, type quotas } from '../contract/inquiry.ts';
import { assign } from './assign.ts';
import { readLeadSources } from './lead-source.ts';
import { progress } from './list.ts';

type Values = Omit<Parameters<Handler<typeof inquiryApi.create>>[1], 'isAnotherChild' | 'sendsForm'>;

const genderCodes: Record<(typeof genders)[number], 'F' | 'M' | 'T'> = { Female: 'F', Male: 'M', Other: 'T' };
const genderOf = (code: string | null) => Object.keys(genderCodes).find((word) => genderCodes[word as never] === code);

export const closedForAdmission = text`This year is not open for admission.`;
export const onlyHead = text`Only the admission head can accept this age.`;

/** The year and grade applied for, with the child's age on the cut-off date. */
async function readPlace(ctx: UserContext, { academicYearId, programId, gradeId, birthDate }: Values) {
  const { db } = ctx;
  const year = await db
    .selectFrom('academic_year')
    .where('id', '=', academicYearId)
    .select(['name', 'is_admission_open', 'age_cutoff_on'])
    .executeTakeFirst();
  if (!year) throw fieldRefusal('academicYearId', unknownChoice);
  const program = await db
    .selectFrom('academic_program')
    .where('id', '=', programId)
    .select('board_id')
    .executeTakeFirst();
  if (!program?.board_id) throw fieldRefusal('programId', unknownChoice);
  const grade = await readGrade(ctx, gradeId as number);
  if (!grade) throw fieldRefusal('gradeId', unknownChoice);
  return { year, boardId: program.board_id, age: ageFor(birthDate, grade, year.age_cutoff_on) };
}

const unknownChoice = text`Choose one from the list.`;

const readGrade = ({ db }: UserContext, id: number) =>
  db
    .selectFrom('academic_grade')
    .where('id', '=', id)
    .select(['name', 'min_age_months', 'max_age_months'])
    .executeTakeFirst();

interface GradeAge {
  name: string;
  min_age_months: number | null;
  max_age_months: number | null;
}

/** The age of a child on the cut-off date, and whether the grade takes it; undefined without a birth date. */
function ageFor(birthDate: string, { name, min_age_months: least, max_age_months: most }: GradeAge, on: string) {
  const age = ageOn(birthDate, on);
  if (!age) return undefined;
  const months = age.years * 12 + age.months;
  const day = showDate(on);
  const words = text(
    {
      message:
        '{years, plural, one {# year} other {# years}} {months, plural, one {# month} other {# months}} on {day}',
    },
    { ...age, day },
  );
  const isYoung = least !== null && months < least;
  const isOld = most !== null && months > most;
  if (!isYoung && !isOld) return { words, isOutside: false };
  const limit = ageWords((isYoung ? least : most) ?? 0);
  const outside = isYoung
    ? text(
        {
          message:
            '{years, plural, one {# year} other {# years}} {months, plural, one {# month} other {# months}} on {day}. {grade} takes children from {limit}.',
        },
        { ...age, day, grade: name, limit },
      )
    : text(
        {
          message:
            '{years, plural, one {# year} other {# years}} {months, plural, one {# month} other {# months}} on {day}. {grade} takes children up to {limit}.',
        },
        { ...age, day, grade: name, limit },
      );
  return { words: outside, isOutside: true };
}

const ageWords = (months: number): Text =>
  months % 12 === 0
    ? text({ message: '{years, plural, one {# year} other {# years}}' }, { years: months / 12 })
    : text(
        { message: '{years, plural, one {# year} other {# years}} {months, plural, one {# month} other {# months}}' },
        { years: Math.floor(months / 12), months: months % 12 },
      );

/** Refuses an age outside the grade's, unless the admission head gives a reason. */
function requireAge({ user }: UserContext, age: ReturnType<typeof ageFor>, reason: string, before = '') {
  if (!age?.isOutside) return;
  if (!reason) throw fieldRefusal('ageReason', age.words);
  if (reason !== before && !user.sets.includes('admissionHead')) throw fieldRefusal('ageReason', onlyHead);
}

const create: Handler<typeof inquiryApi.create> = async (ctx, { isAnotherChild, sendsForm, ...values }) => {
  const { year, boardId, age } = await readPlace(ctx, values);
  if (!year.is_admission_open) throw fieldRefusal('academicYearId', closedForAdmission);
  requireAge(ctx, age, values.ageReason);
  // One at a time for a child, so that two clerks cannot both save it.
  await sql`select pg_advisory_xact_lock(hashtext(${`inquiry ${values.firstName.toLowerCase()} ${values.birthDate}`}))`.execute(
    ctx.db,
  );
  const [same] = (await findSimilar(ctx, values)).filter(({ isSameChild }) => isSameChild);
  if (same && !isAnotherChild) {
    const { inquiryNo } = same;
    throw fieldRefusal(
      'isAnotherChild',
      text`${{ inquiryNo }} has this name and birth date. Tick this for another child.`,
    );
  }
  const [staffParent] = await findStaffParents(ctx, values);
  const { id } = await createInquiry(ctx, ctx.user.name, {
    ...(await toInquiry(ctx, values)),
    boardId,
    state: 'New',
    staffParentId: staffParent?.id ?? null,
  });
  const recipient = values.fatherEmail || values.motherEmail || values.fatherMobile || values.motherMobile;
  if (sendsForm)
    await sendTo(ctx, { id, state: 'New' }, recipient.includes('@') ? 'email' : 'sms', [recipient.toLowerCase()]);
  return { id, version: 1 };
};

const toInquiry = async (ctx: UserContext, values: Values) => ({
  academicYearId: values.academicYearId as number,
  programId: values.programId as number,
  gradeId: values.gradeId as number,
  firstName: values.firstName,
  lastName: values.lastName,
  gender: genderCodes[values.gender as (typeof genders)[number]],
  birthDate: values.birthDate,
  ...given(values, 'fatherFirstName', 'fatherLastName', 'fatherMobile', 'fatherEmail'),
  ...given(values, 'motherFirstName', 'motherLastName', 'motherMobile', 'motherEmail'),
  leadSourceId: await requireLeadSource(ctx, values.leadSourceId as number),
  quota: values.quota,
  assignedToId: values.assignedToId,
  nextFollowUpOn: values.nextFollowUpOn || null,
  ageReason: values.ageReason,
  remark: values.remark,
});

const given = <Name extends keyof Values>(values: Values, ...names: Name[]) =>
  Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : []))) as unknown as {
    [Key in Name]?: string;
  };

async function requireLeadSource({ db }: UserContext, id: number): Promise<number> {
  const found = await db
    .selectFrom('academic_lookup')
    .where('id', '=', id)
    .where('kind', '=', 'Lead source')
    .select('id')
    .executeTakeFirst();
  if (!found) throw fieldRefusal('leadSourceId', unknownChoice);
  return id;
}

type Family = Pick<Values, 'fatherMobile' | 'motherMobile' | 'firstName' | 'lastName' | 'birthDate'> & {
  academicYearId: number | null;
};

/** Other inquiries of the family, by a parent's mobile number, and of the child, by name and birth date in one year. */
async function findSimilar({ db }: UserContext, family: Family, except = 0) {
  const mobiles = [family.fatherMobile, family.motherMobile]
    .map(normalMobile)
    .filter((number) => /^[0-9]{10}$/.test(number));
  const { firstName, lastName, birthDate, academicYearId } = family;
  const isSameChild = sql<boolean>`(lower(coalesce(first_name, '')) = lower(${firstName})
    and lower(coalesce(last_name, '')) = lower(${lastName}) and birth_date = nullif(${birthDate}, '')::date
    and academic_year_id = ${academicYearId}::integer)`;
  const rows = await db
    .selectFrom('admission_inquiry as inquiry')
    .innerJoin('academic_grade as grade', 'grade.id', 'inquiry.grade_id')
    .innerJoin('academic_year as year', 'year.id', 'inquiry.academic_year_id')
    .where('inquiry.id', '<>', except)
    .where(
      sql<boolean>`(father_mobile = any(${mobiles}) or mother_mobile = any(${mobiles}) or coalesce(${isSameChild}, false))`,
    )
    .select(['inquiry.id', 'inquiry_no', 'first_name', 'last_name', 'birth_date', 'grade.name as grade'])
    .select(['year.name as year', 'father_first_name', 'father_last_name', 'father_mobile', 'father_email'])
    .select(['mother_first_name', 'mother_last_name', 'mother_mobile', 'mother_email'])
    .select([
      sql<InquiryState>`inquiry.state`.as('state'),
      sql<boolean>`coalesce(${isSameChild}, false)`.as('isSameChild'),
    ])
    .orderBy('isSameChild', 'desc')
    .orderBy('inquiry.id', 'desc')
    .limit(5)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    inquiryNo: row.inquiry_no,
    child: [row.first_name, row.last_name].filter(Boolean).join(' '),
    birthDate: row.birth_date ?? '',
    grade: row.grade,
    academicYear: row.year,
    state: row.state,
    isSameChild: row.isSameChild,
    parents: {
      fatherFirstName: row.father_first_name ?? '',
      fatherLastName: row.father_last_name ?? '',
      fatherMobile: row.father_mobile ?? '',
      fatherEmail: row.father_email ?? '',
      motherFirstName: row.mother_first_name ?? '',
      motherLastName: row.mother_last_name ?? '',
      motherMobile: row.mother_mobile ?? '',
      motherEmail: row.mother_email ?? '',
    },
  }));
}

/** Staff who work here and have the mobile number of a parent. */
function findStaffParents(
  { db, now }: UserContext,
  { fatherMobile, motherMobile }: Pick<Family, 'fatherMobile' | 'motherMobile'>,
) {
  const mobiles = [fatherMobile, motherMobile].map(normalMobile).filter(Boolean);
  return db
    .selectFrom('staff')
    .where('mobile', '=', sql<string>`any(${mobiles})`)
    .where(sql<boolean>`exists (select from staff_employment spell where spell.staff_id = staff.id
      and coalesce(spell.last_day, 'infinity') >= ${toLocalDate(now())})`)
    .select(['id', 'name'])
    .orderBy('id')
    .execute();
}

const check: Handler<typeof inquiryApi.check> = async (ctx, { gradeId, ...family }) => {
  const similar = await findSimilar(ctx, family);
  const staff = await findStaffParents(ctx, family);
  const grade = gradeId === null ? undefined : await readGrade(ctx, gradeId as number);
  const year = await ctx.db
    .selectFrom('academic_year')
    .where('id', '=', family.academicYearId ?? 0)
    .select('age_cutoff_on')
    .executeTakeFirst();
  return {
    similar: similar.map(({ parents: _, ...row }) => row),
    parents: similar[0]?.parents ?? null,
    staff,
    age: (grade && year && ageFor(family.birthDate, grade, year.age_cutoff_on)) ?? null,
  };
};

const read: Handler<typeof inquiryApi.read> = async (ctx, { id }) => {
  const row = await ctx.db
    .selectFrom('admission_inquiry as inquiry')
    .innerJoin('academic_year as year', 'year.id', 'inquiry.academic_year_id')
    .innerJoin('academic_program as program', 'program.id', 'inquiry.program_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'inquiry.grade_id')
    .leftJoin('academic_lookup as source', 'source.id', 'inquiry.lead_source_id')
    .leftJoin('staff as assigned', 'assigned.id', 'inquiry.assigned_to_id')
    .leftJoin('staff as parent', 'parent.id', 'inquiry.staff_parent_id')
    .where('inquiry.id', '=', id)
    .selectAll('inquiry')
    .select(['year.name as year', 'program.name as program', 'grade.name as grade', 'source.name as source'])
    .select(['assigned.name as assigned', 'parent.name as staff_parent', progress.as('progress')])
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', notFoundMessage);
  const followUps = await ctx.db
    .selectFrom('admission_follow_up as contact')
    .innerJoin('staff', 'staff.id', 'contact.staff_id')
    .where('inquiry_id', '=', id)
    .select(['contact.id', 'contacted_at', 'staff.name', 'channel', 'note', 'next_on'])
    .orderBy('contact.id', 'desc')
    .limit(50)
    .execute();
  const sent = await ctx.db
    .selectFrom('outbox')
    .where('template', '=', 'admission.link')
    .where('subject_id', '=', id)
    .select(['id', 'channel', 'status', 'queued_at'])
    .orderBy('id', 'desc')
    .limit(20)
    .execute();
  return {
    id,
    version: row.version,
    inquiryNo: row.inquiry_no,
    state: row.state as InquiryState,
    createdOn: toLocalDate(row.created_at),
    values: valuesOf(row),
    academicYear: row.year,
    program: row.program,
    grade: row.grade,
    leadSource: row.source ?? '',
    assignedTo: row.assigned ?? '',
    lostReason: row.lost_reason,
    staffParent: row.staff_parent_id && row.staff_parent ? { id: row.staff_parent_id, name: row.staff_parent } : null,
    progress: row.progress,
    submittedAt: row.submitted_at?.toISOString() ?? '',
    link: {
      expiresOn: toLocalDate(row.link_expires_at),
      isRevoked: row.link_revoked_at !== null,
      isExpired: row.link_expires_at <= ctx.now(),
    },
    followUps: followUps.map((contact) => ({
      id: contact.id,
      at: contact.contacted_at.toISOString(),
      by: contact.name,
      channel: contact.channel as 'Call',
      note: contact.note,
      nextOn: contact.next_on ?? '',
    })),
    sent: sent.map(({ id, channel, status, queued_at }) => ({
      id,
      at: queued_at.toISOString(),
      channel: channel === 'email' ? 'Email' : 'SMS',
      status: sendingWords[status] ?? text`Not sent`,
    })),
  };
};

/** What became of a message, in plain words. */
const sendingWords: Record<string, Text> = {
  queued: text`Waiting to be sent`,
  sent: text`Sent`,
  expired: text`No longer needed`,
};

interface Stored {
  father_mobile: string | null;
  mother_mobile: string | null;
  father_email: string | null;
  mother_email: string | null;
  first_name: string | null;
  last_name: string | null;
  gender: string | null;
  birth_date: string | null;
  academic_year_id: number;
  program_id: number;
  grade_id: number;
  father_first_name: string | null;
  father_last_name: string | null;
  mother_first_name: string | null;
  mother_last_name: string | null;
  lead_source_id: number | null;
  quota: string;
  assigned_to_id: number | null;
  next_follow_up_on: string | null;
  remark: string;
  age_reason: string;
}

const valuesOf = (row: Stored) => ({
  fatherMobile: row.father_mobile ?? '',
  motherMobile: row.mother_mobile ?? '',
  fatherEmail: row.father_email ?? '',
  motherEmail: row.mother_email ?? '',
  firstName: row.first_name ?? '',
  lastName: row.last_name ?? '',
  gender: genderOf(row.gender) ?? '',
  birthDate: row.birth_date ?? '',
  academicYearId: row.academic_year_id,
  programId: row.program_id,
  gradeId: row.grade_id,
  fatherFirstName: row.father_first_name ?? '',
  fatherLastName: row.father_last_name ?? '',
  motherFirstName: row.mother_first_name ?? '',
  motherLastName: row.mother_last_name ?? '',
  leadSourceId: row.lead_source_id,
  quota: row.quota as (typeof quotas)[number],
  assignedToId: row.assigned_to_id,
  nextFollowUpOn: row.next_follow_up_on ?? '',
  remark: row.remark,
  ageReason: row.age_reason,
});

/** An inquiry, locked until the transaction ends. Throws `stale` where it is not the version that was read. */
async function lockInquiry({ db }: UserContext, id: number, version?: number) {
  const row = await db.selectFrom('admission_inquiry').where('id', '=', id).selectAll().forUpdate().executeTakeFirst();
  if (!row) throw new AppError('not_found', notFoundMessage);
  if (version !== undefined && row.version !== version) throw new AppError('stale', staleMessage);
  return row;
}

/** Changes a locked inquiry and writes its audit row. */
async function save(
  ctx: UserContext,
  { id, version }: { id: number; version: number },
  action: string,
  values: Updateable<AdmissionInquiry>,
  details: Record<string, string> = {},
) {
  await ctx.db
    .updateTable('admission_inquiry')
    .set({ ...values, version: version + 1 })
    .where('id', '=', id)
    .execute();
  await audit(ctx, { action, entity: 'admission_inquiry', entityId: id, version: version + 1, details });
}

const update: Handler<typeof inquiryApi.update> = async (ctx, { id, version, ...values }) => {
  const before = await lockInquiry(ctx, id, version);
  const { boardId, age } = await readPlace(ctx, values);
  requireAge(ctx, age, values.ageReason, before.age_reason);
  const inquiry = await toInquiry(ctx, values);
  const [staffParent] = await findStaffParents(ctx, values);
  const known = valuesOf(before);
  await save(
    ctx,
    before,
    'admission.inquiry.changed',
    {
      academic_year_id: inquiry.academicYearId,
      board_id: boardId,
      program_id: inquiry.programId,
      grade_id: inquiry.gradeId,
      first_name: inquiry.firstName,
      last_name: inquiry.lastName,
      gender: inquiry.gender,
      birth_date: inquiry.birthDate,
      father_first_name: values.fatherFirstName || null,
      father_last_name: values.fatherLastName || null,
      father_mobile: values.fatherMobile || null,
      father_email: values.fatherEmail || null,
      mother_first_name: values.motherFirstName || null,
      mother_last_name: values.motherLastName || null,
      mother_mobile: values.motherMobile || null,
      mother_email: values.motherEmail || null,
      lead_source_id: inquiry.leadSourceId,
      quota: inquiry.quota,
      assigned_to_id: inquiry.assignedToId,
      staff_parent_id: staffParent?.id ?? null,
      next_follow_up_on: inquiry.nextFollowUpOn,
      age_reason: inquiry.ageReason,
      remark: inquiry.remark,
    },
    changesOf(known, values),
  );
  const contacts = ['fatherMobile', 'motherMobile', 'fatherEmail', 'motherEmail'] as const;
  // The holder of the old number or address may have the link.
  if (before.state !== 'New' && contacts.some((name) => known[name] !== '' && known[name] !== values[name]))
    await revoke(ctx, ctx.user.name, id);
  return { id, version: version + 1 };
};

/** What was typed otherwise, by label; a choice from a list only says that it changed. */
function changesOf(before: ReturnType<typeof valuesOf>, after: Values): Record<string, string> {
  const names = Object.keys(before) as (keyof typeof before)[];
  return Object.fromEntries(
    names
      .filter((name) => (before[name] ?? '') !== (after[name] ?? ''))
      .map((name) => {
        const label = fieldInfo.get(inquiryFields[name])?.label;
        const [old, current] = [before[name], after[name]].map((value) => String(value ?? '') || '–');
        return [label ? english(label) : name, name.endsWith('Id') ? '…' : `${old} → ${current}`];
      }),
  );
}

const logFollowUp: Handler<typeof inquiryApi.logFollowUp> = async (ctx, { id, channel, note, nextOn }) => {
  const inquiry = await lockInquiry(ctx, id);
  await ctx.db
    .insertInto('admission_follow_up')
    .values({
      inquiry_id: id,
      channel,
      note,
      next_on: nextOn || null,
      staff_id: ctx.user.staffId,
      contacted_at: ctx.now(),
    })
    .execute();
  await save(
    ctx,
    inquiry,
    'admission.inquiry.followed-up',
    { next_follow_up_on: nextOn || null },
    {
      'Contact by': channel,
      Note: note,
      ...(nextOn && { 'Next follow-up': showDate(nextOn) }),
    },
  );
  return {};
};

/** Sends the form's link to each address; a new inquiry becomes one whose form is sent. */
async function sendTo(
  ctx: UserContext,
  inquiry: { id: number; state: string },
  channel: 'email' | 'sms',
  recipients: readonly string[],
) {
  const { id, state } = inquiry;
  const next = state === 'In progress' ? state : stateAfter('sendForm', state);
  for (const recipient of recipients) await sendLink(ctx, ctx.user.name, { inquiryId: id, channel, recipient });
  if (next !== state) await ctx.db.updateTable('admission_inquiry').set({ state: next }).where('id', '=', id).execute();
}

export const noAddress = text`The inquiry has no such email address or mobile number. Edit it first.`;
const sendings = { kind: 'form-sent', most: 10, windowSeconds: 3600 };

const sendForm: Handler<typeof inquiryApi.sendForm> = async (ctx, { id, channel, to }) => {
  const inquiry = await lockInquiry(ctx, id);
  const { is_admission_open } = await ctx.db
    .selectFrom('academic_year')
    .where('id', '=', inquiry.academic_year_id)
    .select('is_admission_open')
    .executeTakeFirstOrThrow();
  if (!is_admission_open) throw new AppError('conflict', closedForAdmission);
  const wait = await countHit(ctx.db, sendings, String(id));
  if (wait > 0) throw tooMany(wait);
  const isEmail = channel === 'Email';
  const addresses = {
    Father: isEmail ? inquiry.father_email : inquiry.father_mobile,
    Mother: isEmail ? inquiry.mother_email : inquiry.mother_mobile,
  };
  const recipients = to.split(',').map((parent) => addresses[parent as keyof typeof addresses]);
  if (recipients.some((address) => !address)) throw fieldRefusal('to', noAddress);
  await sendTo(ctx, inquiry, isEmail ? 'email' : 'sms', [...new Set(recipients.map(String))]);
  return {};
};

const copyLink: Handler<typeof inquiryApi.copyLink> = async (ctx, { id }) => {
  const inquiry = await lockInquiry(ctx, id);
  const next = inquiry.state === 'In progress' ? inquiry.state : stateAfter('sendForm', inquiry.state);
  const link = await readLink(ctx, ctx.user.name, id);
  await save(ctx, inquiry, 'admission.link.copied', { state: next });
  return { link };
};

const revokeLink: Handler<typeof inquiryApi.revokeLink> = async (ctx, { id }) => {
  await lockInquiry(ctx, id);
  await revoke(ctx, ctx.user.name, id);
  return {};
};

/** Changes the state with a reason. */
const move =
  (act: InquiryAct, action: string): Handler<typeof inquiryApi.lose> =>
  async (ctx, { id, version, reason }) => {
    const inquiry = await lockInquiry(ctx, id, version);
    const state = stateAfter(act, inquiry.state);
    await save(
      ctx,
      inquiry,
      action,
      { state, lost_reason: state === 'Lost' ? reason : '', next_follow_up_on: null },
      { Status: `${inquiry.state} → ${state}`, Reason: reason },
    );
    return {};
  };

const leadSources: Handler<typeof inquiryApi.leadSources> = ({ db }, input) => readLeadSources(db, input);

const history: Handler<typeof inquiryApi.history> = async (ctx, { id, before }) => {
  const row = await ctx.db.selectFrom('admission_inquiry').where('id', '=', id).select('id').executeTakeFirst();
  if (!row) throw new AppError('not_found', notFoundMessage);
  return readHistory(ctx, 'admission_inquiry', { id, before });
};

export const inquiryRoutes = routes(inquiryApi, {
  leadSources,
  create,
  check,
  read,
  update,
  history,
  logFollowUp,
  sendForm,
  copyLink,
  revokeLink,
  lose: move('lose', 'admission.inquiry.lost'),
  reopen: move('reopen', 'admission.inquiry.reopened'),
  assign,
});
