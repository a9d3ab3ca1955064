import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { LinkContext } from '#kit/server/context.ts';
import { columnsOf, toRow, toWire } from '#kit/server/database/row-map.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { educationApi, educationRemoved, educationSaved } from '../contract/education.ts';
import { answer, auditChange, checkOwner, done, endDraft, isClosed, openForChange, submittedAnswer } from './form.ts';
import { educationColumns } from './wire.ts';

const list = 'lstStudentAdmissionChildEducationHistoryModel';
const page = 3;
/** More schools than any child has attended; the list is read without paging. */
const mostRows = 30;

const get: Handler<typeof educationApi.list> = async (ctx, input) => {
  checkOwner(ctx, input);
  if (isClosed(ctx, page)) return submittedAnswer(ctx, list);
  return readEducation(ctx);
};

const add: Handler<typeof educationApi.add> = async (ctx, input) => {
  await openForChange(ctx, input, page);
  const { rows } = await ctx.db
    .selectFrom('admission_education')
    .where('inquiry_id', '=', ctx.inquiry.id)
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow();
  if (rows >= mostRows) throw new AppError('conflict', text`You can add at most ${{ mostRows }} schools.`);

  const { id } = await ctx.db
    .insertInto('admission_education')
    .values({ inquiry_id: ctx.inquiry.id, ...toRow(educationColumns, input) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await auditRow(ctx, 'added', id);
  await endDraft(ctx, 'education-history');
  return done(await readEducation(ctx), educationSaved);
};

const remove: Handler<typeof educationApi.remove> = async (ctx, { id, ...keys }) => {
  await openForChange(ctx, keys, page);
  const { numDeletedRows } = await ctx.db
    .deleteFrom('admission_education')
    .where('id', '=', id)
    .where('inquiry_id', '=', ctx.inquiry.id)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw new AppError('not_found', notFoundMessage);
  await auditRow(ctx, 'removed', id);
  return done(await readEducation(ctx), educationRemoved);
};

export default routes(educationApi, { list: get, add, remove });

/** The previous schools of the link holder's child, as the wire has them. */
export async function readEducation(ctx: LinkContext) {
  const rows = await ctx.db
    .selectFrom('admission_education')
    .where('inquiry_id', '=', ctx.inquiry.id)
    .select([...columnsOf(educationColumns), 'id'])
    .orderBy('id')
    .execute();
  const shown = rows.map((row) => ({
    ...toWire(educationColumns, row),
    studentAdmissionChildEducationHistoryID: row.id,
    admissionID: ctx.inquiry.id,
    inquiryNo: ctx.inquiry.number,
    createdBy: 0,
  }));
  return answer(list, shown);
}

const auditRow = (ctx: LinkContext, what: string, rowId: number) =>
  auditChange(ctx, { action: `admission.education.${what}`, entity: 'admission_education', details: { rowId } });
