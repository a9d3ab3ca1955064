import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { LinkContext } from '#kit/server/context.ts';
import { columnsOf, toRow, toWire } from '#kit/server/database/row-map.ts';
import { removeFile, saveFile } from '#kit/server/files/files.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { isMask, maskAadhaar } from '#kit/server/security/aadhaar.ts';
import { addressParts, type BasicInfo, basicInfoApi, maskAlone, photoRequired } from '../contract/basic-info.ts';
import { lockedChildFields } from '../contract/inquiry.ts';
import { openAadhaar, sealAadhaar } from './aadhaar.ts';
import { draftAadhaar } from './draft.ts';
import {
  answer,
  checkOwner,
  done,
  isClosed,
  nextVersion,
  openForChange,
  pageSaved,
  parent,
  submittedAnswer,
} from './form.ts';
import { genderOf, getInquiry, gradeAppliedFor, type InquiryRow } from './inquiry.ts';
import { basicInfoColumns, inquiryColumns } from './wire.ts';

const list = 'lstStudentAdmissionBasicInfoModel';
const page = 1;

const get: Handler<typeof basicInfoApi.get> = async (ctx, input) => {
  checkOwner(ctx, input);
  if (isClosed(ctx, page)) return submittedAnswer(ctx, list);
  return readBasicInfo(ctx);
};

const save: Handler<typeof basicInfoApi.save> = async (ctx, input) => {
  await openForChange(ctx, input, page);
  const stored = await findBasicInfo(ctx);
  const version = await nextVersion(ctx, 'admission_basic_info', stored, input.rowVersion);

  const photo = ctx.uploads.admissionStudentImageIFormFile;
  if (!photo && !stored) {
    throw new AppError('invalid', photoRequired, { fields: { admissionStudentImageIFormFile: photoRequired } });
  }
  const owner = { table: 'admission_inquiry', id: ctx.inquiry.id };
  const photoId = photo
    ? await saveFile(ctx, owner, 'admissionStudentImageIFormFile', photo)
    : (stored?.photo_id ?? '');

  const inquiry = await getInquiry(ctx);
  const row = {
    ...toRow(basicInfoColumns, { ...input, ...copiedAddress(input), ...lockedValues(inquiry) }),
    ...(await storedAadhaar(ctx, input.aadharCardNo, stored?.aadhaar)),
    photo_id: photoId,
    version,
    updated_at: ctx.now(),
  };
  const saved = await ctx.db
    .insertInto('admission_basic_info')
    .values({ inquiry_id: ctx.inquiry.id, ...row })
    .onConflict((conflict) => conflict.column('inquiry_id').doUpdateSet(row))
    .returning(columns)
    .executeTakeFirstOrThrow();
  if (photo) await removeFile(ctx, stored?.photo_id);
  await pageSaved(ctx, 'admission_basic_info', version);
  return done(answerWith(ctx, saved, inquiry), text`Saved.`);
};

export default routes(basicInfoApi, { get, getById: get, save });

/** The saved page 1 of the link holder, as the wire has it; the inquiry is read unless the caller has it. */
export async function readBasicInfo(ctx: LinkContext, known?: InquiryRow) {
  const stored = await findBasicInfo(ctx);
  return stored ? answerWith(ctx, stored, known ?? (await getInquiry(ctx))) : answer(list, [] as BasicInfo[]);
}

function answerWith(ctx: LinkContext, stored: Stored, inquiry: InquiryRow) {
  const row: BasicInfo = {
    ...toWire(basicInfoColumns, stored),
    ...gradeAppliedFor(inquiry),
    admissionID: ctx.inquiry.id,
    inquiryNo: ctx.inquiry.number,
    gender: genderOf(inquiry),
    admissionFormEntryDate: stored.created_at.toISOString(),
    aadharCardNo: maskAadhaar(openAadhaar(ctx, ctx.inquiry.id, stored.aadhaar)),
    admissionStudentImagePath: stored.photo_id,
    createdBy: 0,
    updatedBy: 0,
    createdByName: parent,
    updatedByName: parent,
  };
  return answer(list, [row], stored.version);
}

const columns = [...columnsOf(basicInfoColumns), 'aadhaar', 'photo_id', 'version', 'created_at', 'updated_at'] as const;

const findBasicInfo = ({ db, inquiry }: LinkContext) =>
  db.selectFrom('admission_basic_info').where('inquiry_id', '=', inquiry.id).select(columns).executeTakeFirst();

type Stored = NonNullable<Awaited<ReturnType<typeof findBasicInfo>>>;

/** Values of the inquiry, which a request cannot change (A7, B06). */
function lockedValues(inquiry: InquiryRow) {
  const known = toWire(inquiryColumns, inquiry);
  return Object.fromEntries(
    lockedChildFields.filter((field) => known[field]).map((field) => [field, known[field]]),
  ) as Partial<Record<(typeof lockedChildFields)[number], string>>;
}

type Draft = Parameters<typeof save>[1];

/** If ticked, the permanent address is a copy of the present one (A17). */
function copiedAddress(draft: Draft) {
  if (!draft.sameAsPresentAddress) return {};
  return Object.fromEntries(addressParts.map((part) => [`permanent${part}`, draft[`current${part}`]]));
}

/** An unchanged mask stands for its number: the saved one, or the one typed into the draft (A11). */
async function storedAadhaar(ctx: LinkContext, value: string, sealed: Buffer | undefined) {
  if (!isMask(value)) return sealAadhaar(ctx, value);
  const typed = await draftAadhaar(ctx);
  const saved = sealed && openAadhaar(ctx, ctx.inquiry.id, sealed);
  // A draft of other answers holds the mask itself, which stands for the saved number.
  const number = [typed, saved].find((plain) => plain !== undefined && plain !== value && value === maskAadhaar(plain));
  if (number === undefined) throw fieldRefusal('aadharCardNo', maskAlone);
  return sealAadhaar(ctx, number);
}
