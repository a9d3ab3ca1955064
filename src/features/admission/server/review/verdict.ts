import { sql } from 'kysely';
import { stateAfter } from '#features/admission-form/api.ts';
import type { ReviewSection } from '#features/admission-form/contract/correction.ts';
import { requiredDocuments } from '#features/admission-form/contract/document.ts';
import { publishedAs } from '#features/admission-form/contract/state.ts';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { answerSections, type reviewApi } from '../../contract/review.ts';
import { lockAnswers, lockInquiry, saveInquiry } from '../inquiry/lock.ts';

type Locked = Awaited<ReturnType<typeof lockInquiry>>;

const confirmAbsence = text`Confirm that there is a parent whom the family cannot name.`;

/** A form under review, locked. A submitted form is under review from now on, by this user. */
async function lockReview(
  ctx: UserContext,
  { id, answersVersion }: { id: number; answersVersion?: number },
): Promise<{ inquiry: Locked; begun: object }> {
  const inquiry = await (answersVersion === undefined ? lockInquiry(ctx, id) : lockAnswers(ctx, id, answersVersion));
  const state = stateAfter('startReview', inquiry.state);
  return {
    inquiry,
    begun: { state, status: publishedAs[state], reviewer_id: inquiry.reviewer_id ?? ctx.user.staffId },
  };
}

/** Takes over the review of a form. */
export const start: Handler<typeof reviewApi.start> = async (ctx, { id }) => {
  const { inquiry, begun } = await lockReview(ctx, { id });
  if (inquiry.state === 'Under review' && inquiry.reviewer_id === ctx.user.staffId) return {};
  await saveInquiry(ctx, inquiry, 'admission.review.started', { ...begun, reviewer_id: ctx.user.staffId });
  return {};
};

export const acceptSection: Handler<typeof reviewApi.acceptSection> = async (ctx, input) => {
  const { id, section, confirmsAbsence } = input;
  const { inquiry, begun } = await lockReview(ctx, input);
  const absent = section === 'Family' ? await listAbsences(ctx, id) : [];
  if (absent.length > 0 && !confirmsAbsence) throw new AppError('conflict', confirmAbsence);
  await setVerdict(ctx, id, section, 'Accepted');
  await unsentRemarks(ctx, id).where('section', '=', section).execute();
  const confirmed = absent.map(({ parent, reason }) => [`No ${parent.toLowerCase()} to name`, reason]);
  const details = { Section: section, ...Object.fromEntries(confirmed) };
  await saveInquiry(ctx, inquiry, 'admission.section.accepted', begun, details);
  return {};
};

/** Removes the verdict on an accepted section. */
export const undoSection: Handler<typeof reviewApi.undoSection> = async (ctx, { section, ...shown }) => {
  const { inquiry, begun } = await lockReview(ctx, shown);
  const undone = await ctx.db
    .deleteFrom('admission_verdict')
    .where('inquiry_id', '=', shown.id)
    .where('section', '=', section)
    .where('result', '=', 'Accepted')
    .executeTakeFirst();
  if (undone.numDeletedRows > 0)
    await saveInquiry(ctx, inquiry, 'admission.verdict.undone', begun, { Section: section });
  return {};
};

async function setVerdict(ctx: UserContext, id: number, section: string, result: 'Accepted' | 'Needs correction') {
  const verdict = { result, staff_id: ctx.user.staffId, decided_at: ctx.now() };
  await ctx.db
    .insertInto('admission_verdict')
    .values({ inquiry_id: id, section, ...verdict })
    .onConflict((conflict) => conflict.columns(['inquiry_id', 'section']).doUpdateSet(verdict))
    .execute();
}

const unsentRemarks = ({ db }: UserContext, id: number) =>
  db.deleteFrom('admission_remark').where('inquiry_id', '=', id).where('correction_id', 'is', null);

export const addRemark: Handler<typeof reviewApi.addRemark> = async (ctx, { section, field, remark, ...shown }) => {
  const { id } = shown;
  const { inquiry, begun } = await lockReview(ctx, shown);
  await setVerdict(ctx, id, section, 'Needs correction');
  await unsentRemarks(ctx, id).where('section', '=', section).where('field', '=', field).execute();
  await ctx.db.insertInto('admission_remark').values({ inquiry_id: id, section, field, remark }).execute();
  // The words may tell of the child's health; the record has them.
  await saveInquiry(ctx, inquiry, 'admission.section.questioned', begun, { Section: section });
  return {};
};

export const removeRemark: Handler<typeof reviewApi.removeRemark> = async (ctx, { remarkId, ...shown }) => {
  const { id } = shown;
  const { inquiry, begun } = await lockReview(ctx, shown);
  const removed = await unsentRemarks(ctx, id)
    .where('id', '=', remarkId)
    .returning('section')
    .executeTakeFirstOrThrow(notFound);
  const { section } = removed;
  await ctx.db
    .deleteFrom('admission_verdict')
    .where('inquiry_id', '=', id)
    .where('section', '=', section)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('admission_remark')
            .where('inquiry_id', '=', id)
            .where('section', '=', section)
            .where('correction_id', 'is', null),
        ),
      ),
    )
    .execute();
  await saveInquiry(ctx, inquiry, 'admission.section.unquestioned', begun, { Section: section });
  return {};
};

/** The parents whom the family says it cannot name, with its reason. */
export async function listAbsences({ db }: UserContext, id: number) {
  const row = await db
    .selectFrom('admission_parent_info')
    .where('inquiry_id', '=', id)
    .select(['no_father_reason', 'no_mother_reason'])
    .executeTakeFirst();
  return [
    { parent: 'Father', reason: row?.no_father_reason ?? '' },
    { parent: 'Mother', reason: row?.no_mother_reason ?? '' },
  ].filter(({ reason }) => reason !== '');
}

export const decideDocument: Handler<typeof reviewApi.decideDocument> = async (ctx, input) => {
  const { id, document, result, isOriginalSeen, remark } = input;
  const { inquiry, begun } = await lockReview(ctx, input);
  const found = await ctx.db
    .selectFrom('admission_document')
    .where('id', '=', document)
    .where('inquiry_id', '=', id)
    .select('name')
    .executeTakeFirstOrThrow(notFound);
  const verdict = {
    result,
    is_original_seen: isOriginalSeen,
    remark: result === 'Rejected' ? remark : '',
    staff_id: ctx.user.staffId,
    decided_at: ctx.now(),
  };
  await ctx.db
    .insertInto('admission_document_verdict')
    .values({ document_id: document, ...verdict })
    .onConflict((conflict) => conflict.column('document_id').doUpdateSet(verdict))
    .execute();
  const action = result === 'Verified' ? 'admission.document.verified' : 'admission.document.rejected';
  await saveInquiry(ctx, inquiry, action, begun, {
    Document: found.name,
    ...(result === 'Rejected' && { Remark: remark }),
  });
  return {};
};

/** Removes the verdict on a document. */
export const undoDocument: Handler<typeof reviewApi.undoDocument> = async (ctx, { document, ...shown }) => {
  const { inquiry, begun } = await lockReview(ctx, shown);
  const undone = await ctx.db
    .deleteFrom('admission_document_verdict as verdict')
    .using('admission_document as document')
    .whereRef('document.id', '=', 'verdict.document_id')
    .where('document.id', '=', document)
    .where('document.inquiry_id', '=', shown.id)
    .returning('document.name')
    .executeTakeFirst();
  if (undone) await saveInquiry(ctx, inquiry, 'admission.verdict.undone', begun, { Document: undone.name });
  return {};
};

interface DocumentStanding {
  name: string;
  result: string | null;
}

/** Required documents that are neither uploaded nor waived. */
export const missingDocuments = (documents: readonly DocumentStanding[], waived: readonly string[]) =>
  requiredDocuments.filter((name) => !waived.includes(name) && !documents.some((document) => document.name === name));

/**
 * The verdict on the documents of a form: accepted once each is verified and none that is required is missing; null
 * while one waits.
 */
export function documentsVerdict(documents: readonly DocumentStanding[], waived: readonly string[]) {
  if (documents.some(({ result }) => result === 'Rejected') || missingDocuments(documents, waived).length > 0)
    return 'Needs correction' as const;
  return documents.every(({ result }) => result === 'Verified') ? ('Accepted' as const) : null;
}

export async function listDocuments({ db }: UserContext, id: number) {
  return db
    .selectFrom('admission_document as document')
    .innerJoin('file', 'file.id', 'document.file_id')
    .leftJoin('admission_document_verdict as verdict', 'verdict.document_id', 'document.id')
    .leftJoin('staff', 'staff.id', 'verdict.staff_id')
    .where('inquiry_id', '=', id)
    .select(['document.id', 'document.name', 'document.other_description', 'document.file_id', 'file.media_type'])
    .select(['verdict.result', 'verdict.is_original_seen', 'verdict.remark', 'staff.name as decided_by'])
    .orderBy('document.id')
    .execute();
}

export async function listWaivers({ db }: UserContext, id: number) {
  const documents = await db
    .selectFrom('admission_document_waiver')
    .where('inquiry_id', '=', id)
    .select(['name as what', 'reason'])
    .orderBy('name')
    .execute();
  const parents = await db
    .selectFrom('admission_inquiry')
    .where('id', '=', id)
    .select(['father_waived_reason', 'mother_waived_reason'])
    .executeTakeFirst();
  return [
    { what: 'Father', reason: parents?.father_waived_reason ?? '' },
    { what: 'Mother', reason: parents?.mother_waived_reason ?? '' },
    ...documents,
  ].filter(({ reason }) => reason !== '');
}

/** The verdict on each section with its unsent remarks, in the order of the form. */
export async function listVerdicts(ctx: UserContext, id: number, documents: 'Accepted' | 'Needs correction' | null) {
  const verdicts = await ctx.db
    .selectFrom('admission_verdict as verdict')
    .innerJoin('staff', 'staff.id', 'verdict.staff_id')
    .where('inquiry_id', '=', id)
    .select(['section', 'result', 'staff.name'])
    .execute();
  const remarks = await ctx.db
    .selectFrom('admission_remark')
    .where('inquiry_id', '=', id)
    .where('correction_id', 'is', null)
    .select(['id', 'section', 'field', 'remark'])
    .orderBy('id')
    .execute();
  const answers = answerSections.map((section) => {
    const verdict = verdicts.find((row) => row.section === section);
    return {
      section: section as ReviewSection,
      result: (verdict?.result ?? null) as 'Accepted' | 'Needs correction' | null,
      decidedBy: verdict?.name ?? '',
      remarks: remarks.flatMap((row) => (row.section === section ? { ...row, section } : [])),
    };
  });
  return [...answers, { section: 'Documents' as const, result: documents, decidedBy: '', remarks: [] }];
}

/** Sections of every form in a list that are accepted, of six, as SQL; `inquiry` is the row. */
export const acceptedSections = sql<number>`(
  (select count(*) from admission_verdict where inquiry_id = inquiry.id and result = 'Accepted')
  + (not exists (select from admission_document document
      left join admission_document_verdict verdict on verdict.document_id = document.id
      where document.inquiry_id = inquiry.id and verdict.result is distinct from 'Verified')
    and not exists (select from unnest(${[...requiredDocuments]}::text[]) as needed (name)
      where not exists (select from admission_document where inquiry_id = inquiry.id and name = needed.name)
        and not exists (select from admission_document_waiver where inquiry_id = inquiry.id and name = needed.name)))
    ::integer)::integer`;
