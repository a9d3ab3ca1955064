import { sendToParents, stateAfter } from '#features/admission-form/api.ts';
import type { ReviewSection } from '#features/admission-form/contract/correction.ts';
import { publishedAs } from '#features/admission-form/contract/state.ts';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { pagesOf, type reviewApi } from '../../contract/review.ts';
import { lockInquiry, saveInquiry } from '../inquiry/lock.ts';
import { listDocuments, listWaivers, missingDocuments } from './verdict.ts';

const nothingToCorrect = text`Mark a section or a document for correction first.`;

/** Sends the form back to the family: the pages of every section with a remark are open again, and no others. */
export const requestCorrection: Handler<typeof reviewApi.requestCorrection> = async (ctx, { id, version }) => {
  const inquiry = await lockInquiry(ctx, id, version);
  const state = stateAfter('requestCorrection', inquiry.state);
  const documents = await listDocuments(ctx, id);
  const waived = (await listWaivers(ctx, id)).map(({ what }) => what);
  const about = await ctx.db
    .selectFrom('admission_remark')
    .where('inquiry_id', '=', id)
    .where('correction_id', 'is', null)
    .select('section')
    .execute();
  const onDocuments = [
    ...documents
      .filter(({ result }) => result === 'Rejected')
      .map(({ name, remark }) => ({ name, remark: remark ?? '' })),
    ...missingDocuments(documents, waived).map((name) => ({ name, remark: 'Please upload this document.' })),
  ];
  const sections = [
    ...about.map(({ section }) => section as ReviewSection),
    ...(onDocuments.length > 0 ? (['Documents'] as const) : []),
  ];
  if (sections.length === 0) throw new AppError('conflict', nothingToCorrect);
  const pages = pagesOf(sections);
  const correction = await ctx.db
    .insertInto('admission_correction')
    .values({ inquiry_id: id, pages, staff_id: ctx.user.staffId, requested_at: ctx.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.db
    .updateTable('admission_remark')
    .set({ correction_id: correction.id })
    .where('inquiry_id', '=', id)
    .where('correction_id', 'is', null)
    .execute();
  if (onDocuments.length > 0)
    await ctx.db
      .insertInto('admission_remark')
      .values(
        onDocuments.map(({ name, remark }) => ({
          inquiry_id: id,
          section: 'Documents',
          field: name,
          remark,
          correction_id: correction.id,
        })),
      )
      .execute();
  await saveInquiry(
    ctx,
    inquiry,
    'admission.correction.requested',
    { state, status: publishedAs[state], open_pages: pages, submitted_at: null },
    { Sections: [...new Set(sections)].join(', ') },
  );
  return {
    pages,
    sentTo: await sendToParents(ctx, ctx.user.name, { inquiryId: id, template: 'admission.correction' }),
  };
};
