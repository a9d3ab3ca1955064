import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { normalMobile } from '#kit/contract/fields.ts';
import { isLanguage } from '#kit/contract/languages.ts';
import { text } from '#kit/contract/text.ts';
import type { Context, LinkContext } from '#kit/server/context.ts';
import { columnsOf, toWire } from '#kit/server/database/row-map.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { queueMessages } from '#kit/server/messages/outbox.ts';
import { countHit, networkOf } from '#kit/server/security/limits.ts';
import type { Correction } from '../contract/correction.ts';
import { inquiryApi, lockedChildFields, lockedParentFields, type OpenInquiry } from '../contract/inquiry.ts';
import { newLinkAnswer, newLinkApi } from '../contract/new-link.ts';
import { readDocuments } from './document.ts';
import { checkOwner, consentState, isConsentWanting, isPageOpen, parent, says } from './form.ts';
import { deviceKey, offerLinks, renewLinks } from './link.ts';
import { offerOf, siblingRow } from './sibling-offer.ts';
import { inquiryColumns } from './wire.ts';

const get: Handler<typeof inquiryApi.inquiry> = async (ctx, input) => {
  checkOwner(ctx, input);
  const row = await getInquiry(ctx);
  const { submittedAt, number, id, status } = ctx.inquiry;
  if (!submittedAt) return [await toOpenInquiry(ctx, row)];
  return [
    {
      language: languageOf(row),
      inquiryNo: number,
      admissionID: id,
      isFormSubmitted: true as const,
      academicYear: row.academic_year,
      submittedDateTime: submittedAt.toISOString(),
      status,
      documentNames: (await readDocuments(ctx)).data.resultList.map(({ documentName }) => documentName),
    },
  ];
};

/** Requests for a new link for one mobile number or email address within an hour. */
export const newLinkRequests = { kind: 'new-link', most: 3, windowSeconds: 3600 };
/** Requests for a new link from one network within an hour, for any contact. */
const newLinkAddress = { kind: 'new-link-address', most: 20, windowSeconds: 3600 };

/**
 * Sends a new link to the contact in the inquiry. It ends an expired one at once, and one that works, which may have
 * leaked (C4), when it is opened: anyone may ask, who can't open it. Answer and statements are the same for any number of
 * inquiries, so neither reveals whether one exists (A48, C5).
 */
const newLink: Handler<typeof newLinkApi.newLink> = async (ctx, { contact }) => {
  const isEmail = contact.includes('@');
  const target = isEmail ? contact.toLowerCase() : normalMobile(contact);
  const counts = [
    [newLinkAddress, networkOf(ctx.address)],
    [newLinkRequests, target],
  ] as const;
  for (const [limit, subject] of counts) {
    const wait = await countHit(ctx.db, limit, subject);
    if (wait > 0) throw new AppError('too_many_tries', text`Too many attempts. Try again later.`, { retryAfter: wait });
  }

  const inquiries = await ctx.db
    .selectFrom('admission_inquiry')
    .where((inquiry) =>
      isEmail
        ? inquiry.or([
            inquiry(inquiry.fn('lower', ['father_email']), '=', target),
            inquiry(inquiry.fn('lower', ['mother_email']), '=', target),
          ])
        : inquiry.or([inquiry('father_mobile', '=', target), inquiry('mother_mobile', '=', target)]),
    )
    .where('link_revoked_at', 'is', null)
    .select(['id', 'inquiry_no', 'link_expires_at'])
    .select(['next_link_version', 'next_link_key_id', 'next_link_expires_at'])
    .orderBy('id')
    .limit(10)
    .forUpdate()
    .execute();
  const [expired, alive] = [
    inquiries.filter(({ link_expires_at }) => link_expires_at <= ctx.now()),
    inquiries.filter(({ link_expires_at }) => link_expires_at > ctx.now()),
  ];
  const renewed = [...(await renewLinks(ctx, parent, expired))].map(([id, { version }]) => ({ id, version }));
  const links = [...renewed, ...(await offerLinks(ctx, parent, alive))].sort((one, other) => one.id - other.id);
  const channel = isEmail ? ('email' as const) : ('sms' as const);
  const message = { channel, template: 'admission.link', isAwaited: true };
  const toParent = links.map(({ id, version }) => ({ ...message, recipient: target, subjectId: id, version }));
  await queueMessages(ctx, toParent.length > 0 ? toParent : [{ ...message, recipient: null, subjectId: 0 }]);
  return { isSuccess: true, ...says(newLinkAnswer) };
};

export default [...routes(inquiryApi, { inquiry: get }), ...routes(newLinkApi, { newLink })];

/** The inquiry with the names of its year, board, program and grade. */
export const getInquiry = ({ db, inquiry }: LinkContext) => selectInquiry(db, inquiry.id).executeTakeFirstOrThrow();

export function selectInquiry(db: Context['db'], id: number) {
  return db
    .selectFrom('admission_inquiry as inquiry')
    .innerJoin('academic_year as year', 'year.id', 'inquiry.academic_year_id')
    .innerJoin('academic_board as board', 'board.id', 'inquiry.board_id')
    .innerJoin('academic_program as program', 'program.id', 'inquiry.program_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'inquiry.grade_id')
    .innerJoin('academic_school as school', (join) => join.onTrue())
    .where('inquiry.id', '=', id)
    .select(columnsOf(inquiryColumns).map((column) => `inquiry.${column}` as const))
    .select([
      'inquiry.gender',
      'inquiry.language',
      'inquiry.academic_year_id',
      'inquiry.board_id',
      'inquiry.program_id',
      'inquiry.grade_id',
      'inquiry.sibling_names',
      'inquiry.father_waived_reason',
      'inquiry.mother_waived_reason',
      'inquiry.created_at',
      'year.name as academic_year',
      'board.name as board',
      'program.name as program',
      'grade.name as grade',
      'grade.min_age_months',
      'year.age_cutoff_on',
    ]);
}

export type InquiryRow = Awaited<ReturnType<typeof getInquiry>>;

/** The parents whose details the school has waived (A9). */
export function notApplicable(row: Pick<InquiryRow, 'father_waived_reason' | 'mother_waived_reason'>) {
  const waived = { father: row.father_waived_reason, mother: row.mother_waived_reason };
  return (['father', 'mother'] as const).filter((who) => waived[who] !== null);
}

/** The year, board, program and grade applied for; a parent cannot change them. */
export const gradeAppliedFor = (row: InquiryRow) => ({
  admissionAcademicYearID: row.academic_year_id,
  academicYear: row.academic_year,
  admissionBoardID: row.board_id,
  board: row.board,
  admissionProgramID: row.program_id,
  program: row.program,
  admissionGradeID: row.grade_id,
  grade: row.grade,
});

const languageOf = ({ language }: InquiryRow) => (isLanguage(language) ? language : null);

/** The usual age for a grade, in whole years as its note says it, and the day on which it counts. */
const gradeAgeOf = ({ min_age_months: months, age_cutoff_on: on }: InquiryRow) =>
  months === null ? null : { years: Math.floor(months / 12), on };

/** The wire's boolean for a UDISE+ code; the third code has none (A6). */
export const genderOf = ({ gender }: InquiryRow) => (gender === 'M' ? true : gender === 'F' ? false : null);

async function toOpenInquiry(ctx: LinkContext, row: InquiryRow): Promise<OpenInquiry> {
  const state = await ctx.db
    .selectNoFrom([
      ...consentState(ctx),
      waivedNames(ctx).as('waived'),
      savedSteps(ctx).as('saved_steps'),
      openRemarks(ctx).as('remarks'),
      absentNames(ctx).as('absent'),
      siblingRow(ctx).as('sibling'),
    ])
    .executeTakeFirstOrThrow();
  const { openPages } = ctx.inquiry;
  const isOpen = (page: number) => isPageOpen(openPages, page);
  const waived = notApplicable(row);
  return {
    language: languageOf(row),
    inquiryNo: ctx.inquiry.number,
    admissionID: ctx.inquiry.id,
    isFormSubmitted: false,
    gender: isOpen(1) ? genderOf(row) : null,
    ...gradeAppliedFor(row),
    ...toWire(inquiryColumns, row),
    // Of a closed page nothing personal is sent, as after the submission.
    ...(isOpen(1) ? {} : emptyFields(lockedChildFields)),
    ...(isOpen(2) ? {} : emptyFields(lockedParentFields)),
    // Page 4 asks about the parents whom page 2 names, also where page 2 is closed.
    detailsNotApplicable: isOpen(2) ? waived : [...new Set([...waived, ...state.absent])],
    waivedDocuments: state.waived,
    isConsentRequired: isConsentWanting(state),
    gradeAge: gradeAgeOf(row),
    correction: openPages.length > 0 ? { pages: [...openPages], remarks: state.remarks } : null,
    sibling: openPages.length === 0 ? offerOf(state.sibling) : null,
    savedSteps: state.saved_steps,
    deviceKey: deviceKey(ctx.keys, ctx.inquiry.number),
  };
}

const emptyFields = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, null])) as Record<Name, null>;

/** Documents that staff have waived for this family (A40). */
export async function waivedDocuments(ctx: LinkContext): Promise<string[]> {
  const { names } = await ctx.db.selectNoFrom(waivedNames(ctx).as('names')).executeTakeFirstOrThrow();
  return names;
}

const waivedNames = ({ inquiry }: LinkContext) =>
  sql<string[]>`array(select name from admission_document_waiver where inquiry_id = ${inquiry.id})`;

const savedSteps = ({ inquiry }: LinkContext) =>
  sql<number[]>`array(
    select 1 from admission_basic_info where inquiry_id = ${inquiry.id}
    union all select 2 from admission_parent_info where inquiry_id = ${inquiry.id}
    union all select 3 from admission_health where inquiry_id = ${inquiry.id}
    union all select 4 from admission_additional_info where inquiry_id = ${inquiry.id})`;

/** The school's remarks in the correction that is not yet answered. */
const openRemarks = ({ inquiry }: LinkContext) =>
  sql<Correction['remarks']>`coalesce((
    select jsonb_agg(jsonb_build_object('section', section, 'field', field, 'remark', remark,
      'isAnswered', coalesce(case section
        when 'Child' then (select updated_at from admission_basic_info where inquiry_id = ${inquiry.id})
        when 'Family' then (select updated_at from admission_parent_info where inquiry_id = ${inquiry.id})
        when 'Health' then (select updated_at from admission_health where inquiry_id = ${inquiry.id})
        when 'Contacts' then (select updated_at from admission_additional_info where inquiry_id = ${inquiry.id})
        when 'Documents' then (select max(created_at) from admission_document
          where inquiry_id = ${inquiry.id} and remark.field in ('', name))
        end > requested_at, false)) order by remark.id)
    from admission_remark as remark
    join admission_correction as correction on correction.id = remark.correction_id
    where correction.inquiry_id = ${inquiry.id} and correction.answered_at is null), '[]')`;

/** The parents who, by page 2, cannot be named. */
const absentNames = ({ inquiry }: LinkContext) =>
  sql<('father' | 'mother')[]>`array(
    select 'father' from admission_parent_info where inquiry_id = ${inquiry.id} and has_no_father
    union all select 'mother' from admission_parent_info where inquiry_id = ${inquiry.id} and has_no_mother)`;
