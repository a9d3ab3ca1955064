import { text } from '#kit/contract/text.ts';
import type { LinkContext } from '#kit/server/context.ts';
import { columnsOf, toRow, toWire } from '#kit/server/database/row-map.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { type AdditionalInfo, additionalInfoApi } from '../contract/additional-info.ts';
import { answer, checkOwner, done, isClosed, nextVersion, openForChange, pageSaved, submittedAnswer } from './form.ts';
import { absentOrWaived } from './parent-info.ts';
import { additionalInfoColumns } from './wire.ts';

const list = 'lstStudentAdmissionAdditionalInfoModel';
const page = 4;

const get: Handler<typeof additionalInfoApi.get> = async (ctx, input) => {
  checkOwner(ctx, input);
  if (isClosed(ctx, page)) return submittedAnswer(ctx, list);
  return readAdditionalInfo(ctx);
};

const save: Handler<typeof additionalInfoApi.save> = async (ctx, input) => {
  await openForChange(ctx, input, page);
  const stored = await findAdditionalInfo(ctx);
  const version = await nextVersion(ctx, 'admission_additional_info', stored, input.rowVersion);

  const isAbsent = (who: 'father' | 'mother') => input.detailsNotApplicable.includes(who);
  const row = {
    ...toRow(additionalInfoColumns, input),
    ...(isAbsent('father') && { time_with_father: '' }),
    ...(isAbsent('mother') && { time_with_mother: '' }),
    // The moment of the tick is kept as long as it stays ticked (1.4).
    authorized_at: input.isMedicalEmergencyAuthorized ? (stored?.authorized_at ?? ctx.now()) : null,
    version,
    updated_at: ctx.now(),
  };
  const saved = await ctx.db
    .insertInto('admission_additional_info')
    .values({ inquiry_id: ctx.inquiry.id, ...row })
    .onConflict((conflict) => conflict.column('inquiry_id').doUpdateSet(row))
    .returning(columns)
    .executeTakeFirstOrThrow();
  await pageSaved(ctx, 'admission_additional_info', version);
  return done(answerWith(ctx, saved), text`Saved.`);
};

export default routes(additionalInfoApi, { get, save }, { save: absentOrWaived });

/** The saved page 4 of the link holder, as the wire has it. */
export async function readAdditionalInfo(ctx: LinkContext) {
  const stored = await findAdditionalInfo(ctx);
  return stored ? answerWith(ctx, stored) : answer(list, [] as AdditionalInfo[]);
}

function answerWith(ctx: LinkContext, stored: Stored) {
  const row = {
    ...toWire(additionalInfoColumns, stored),
    admissionID: ctx.inquiry.id,
    inquiryNo: ctx.inquiry.number,
    createdBy: 0,
    updatedBy: 0,
  };
  return answer(list, [row], stored.version);
}

const columns = [...columnsOf(additionalInfoColumns), 'authorized_at', 'version', 'updated_at'] as const;

const findAdditionalInfo = ({ db, inquiry }: LinkContext) =>
  db.selectFrom('admission_additional_info').where('inquiry_id', '=', inquiry.id).select(columns).executeTakeFirst();

type Stored = NonNullable<Awaited<ReturnType<typeof findAdditionalInfo>>>;
