import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { Context, LinkContext } from '#kit/server/context.ts';
import { readFile } from '#kit/server/files/files.ts';
import { open } from '#kit/server/security/sealed.ts';
import { openAadhaar } from './aadhaar.ts';
import { readAdditionalInfo } from './additional-info.ts';
import { readBasicInfo } from './basic-info.ts';
import { readDocuments } from './document.ts';
import { readEducation } from './education.ts';
import { readHealth } from './health.ts';
import { getInquiry, notApplicable } from './inquiry.ts';
import { readLanguage } from './language.ts';
import { readParentInfo } from './parent-info.ts';
import { inquiryColumns, toWire } from './wire.ts';

/** The school reads a form as its family does, whatever state the form is in. */
async function asFamily(ctx: Context, inquiryId: number): Promise<LinkContext> {
  const inquiry = await ctx.db
    .selectFrom('admission_inquiry')
    .where('id', '=', inquiryId)
    .select(['id', 'inquiry_no', 'status'])
    .executeTakeFirst();
  if (!inquiry) throw new AppError('not_found', notFoundMessage);
  const { id, inquiry_no: number, status } = inquiry;
  return { ...ctx, inquiry: { id, number, submittedAt: null, status, openPages: [] }, link: '' };
}

/** All saved answers of a form, with a mask for the Aadhaar number; null for a page that was never saved. */
export async function readForm(ctx: Context, inquiryId: number) {
  const family = await asFamily(ctx, inquiryId);
  const [inquiry, child, parents, health, contacts, languages, schools, documents, careers] = await Promise.all([
    getInquiry(family),
    readBasicInfo(family),
    readParentInfo(family),
    readHealth(family),
    readAdditionalInfo(family),
    readLanguage(family),
    readEducation(family),
    readDocuments(family),
    readCareers(family),
  ]);
  return {
    child: child.data.lstStudentAdmissionBasicInfoModel[0] ?? null,
    family: parents.data.lstStudentAdmissionParentInfo[0] ?? null,
    health: health.data.lstStudentAdmissionChildHealthDetailsModel[0] ?? null,
    contacts: contacts.data.lstStudentAdmissionAdditionalInfoModel[0] ?? null,
    languages: languages.data.lstStudentAdmissionLanguageDtlModel[0] ?? null,
    schools: schools.data.lstStudentAdmissionChildEducationHistoryModel,
    documents: documents.data.resultList,
    detailsNotApplicable: notApplicable(inquiry),
    locked: Object.entries(toWire(inquiryColumns, inquiry)).flatMap(([name, value]) => (value ? name : [])),
    careers,
  };
}

/** The names of the sectors and specialties that the family has chosen. */
const readCareers = ({ db, inquiry }: LinkContext) =>
  db
    .selectFrom('academic_career as career')
    .innerJoin('admission_parent_info as own', (join) => join.on('own.inquiry_id', '=', inquiry.id))
    .where((career) =>
      career('career.id', 'in', [
        career.ref('own.father_sector_id'),
        career.ref('own.father_specialty_id'),
        career.ref('own.mother_sector_id'),
        career.ref('own.mother_specialty_id'),
        career.ref('own.guardian_sector_id'),
        career.ref('own.guardian_specialty_id'),
      ]),
    )
    .select(['career.id', 'career.name'])
    .execute();

/** The Aadhaar number of a form as it was entered; undefined without a saved first page. */
export async function readAadhaar(ctx: Context, inquiryId: number): Promise<string | undefined> {
  const family = await asFamily(ctx, inquiryId);
  const row = await ctx.db
    .selectFrom('admission_basic_info')
    .where('inquiry_id', '=', inquiryId)
    .select('aadhaar')
    .executeTakeFirst();
  return row && openAadhaar(family, row.aadhaar);
}

/** A file of a form. Throws `not_found` for a file of another record. */
export const readFormFile = (ctx: Context, inquiryId: number, fileId: string) =>
  readFile(ctx, { table: 'admission_inquiry', id: inquiryId }, fileId);

/** What the last submissions handed in, newest first, at most two. */
export async function readSubmissions({ db, keys }: Context, inquiryId: number): Promise<Record<string, unknown>[]> {
  const rows = await db
    .selectFrom('admission_submission')
    .where('inquiry_id', '=', inquiryId)
    .select('copy')
    .orderBy('id', 'desc')
    .limit(2)
    .execute();
  return rows.map(({ copy }) => JSON.parse(open(keys.data, `admission_submission.copy:${inquiryId}`, copy).toString()));
}
