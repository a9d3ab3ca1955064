import { sql } from 'kysely';
import { english } from '#kit/contract/text.ts';
import type { Context, LinkContext } from '#kit/server/context.ts';
import { overOneConnection } from '#kit/server/database/database.ts';
import { toWire } from '#kit/server/database/row-map.ts';
import { readFile } from '#kit/server/files/files.ts';
import { notFound } from '#kit/server/record/version.ts';
import { maskAadhaar } from '#kit/server/security/aadhaar.ts';
import { open } from '#kit/server/security/sealed.ts';
import { childPhoto } from '../contract/basic-info.ts';
import { vaccinationCard } from '../contract/health.ts';
import { adoptionDocument, divorceDocument, familyPhoto } from '../contract/parent-info.ts';
import { openAadhaar } from './aadhaar.ts';
import { readAdditionalInfo } from './additional-info.ts';
import { readBasicInfo } from './basic-info.ts';
import { readEducation } from './education.ts';
import { readHealth } from './health.ts';
import { notApplicable, selectInquiry } from './inquiry.ts';
import { readLanguage } from './language.ts';
import { readParentInfo } from './parent-info.ts';
import { inquiryColumns } from './wire.ts';

/**
 * The answers of a submitted form, with a mask for the Aadhaar number; null for a page that was never saved. Throws
 * `not_found` for a form that was never submitted.
 */
export async function readForm(ctx: Context, inquiryId: number) {
  const inquiry = await selectInquiry(ctx.db, inquiryId)
    .where('inquiry.received_at', 'is not', null)
    .select(['inquiry.inquiry_no', 'inquiry.status'])
    .executeTakeFirstOrThrow(notFound);
  // The school reads a form as its family does, whatever state the form is in.
  const holder = {
    id: inquiryId,
    number: inquiry.inquiry_no,
    submittedAt: null,
    status: inquiry.status,
    openPages: [],
  };
  const [child, parents, health, contacts, languages, schools, careers] = await overOneConnection(ctx.db, (db) => {
    const family: LinkContext = { ...ctx, db, inquiry: holder, holder, link: '' };
    return Promise.all([
      readBasicInfo(family, inquiry),
      readParentInfo(family),
      readHealth(family),
      readAdditionalInfo(family),
      readLanguage(family),
      readEducation(family),
      readCareers(family),
    ]);
  });
  return {
    child: child.data.lstStudentAdmissionBasicInfoModel[0] ?? null,
    family: parents.data.lstStudentAdmissionParentInfo[0] ?? null,
    health: health.data.lstStudentAdmissionChildHealthDetailsModel[0] ?? null,
    contacts: contacts.data.lstStudentAdmissionAdditionalInfoModel[0] ?? null,
    languages: languages.data.lstStudentAdmissionLanguageDtlModel[0] ?? null,
    schools: schools.data.lstStudentAdmissionChildEducationHistoryModel,
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
  const row = await ctx.db
    .selectFrom('admission_basic_info')
    .where('inquiry_id', '=', inquiryId)
    .select('aadhaar')
    .executeTakeFirst();
  return row && openAadhaar(ctx, inquiryId, row.aadhaar);
}

/** A file of a form. Throws `not_found` for a file of another record. */
export const readFormFile = (ctx: Context, inquiryId: number, fileId: string) =>
  readFile(ctx, { table: 'admission_inquiry', id: inquiryId }, fileId);

/** What a picture or paper of the answers is; undefined for another file. */
export async function nameFormFile({ db }: Pick<Context, 'db'>, inquiryId: number, fileId: string) {
  const { rows } = await sql<{ name: string }>`
    select named.name from (
      select photo_id as file_id, ${english(childPhoto.label)} as name from admission_basic_info where inquiry_id = ${inquiryId}
      union all select family_photo_id, ${english(familyPhoto.label)} from admission_parent_info where inquiry_id = ${inquiryId}
      union all select divorce_document_id, ${english(divorceDocument.label)} from admission_parent_info where inquiry_id = ${inquiryId}
      union all select adoption_document_id, ${english(adoptionDocument.label)} from admission_parent_info where inquiry_id = ${inquiryId}
      union all select vaccination_card_id, ${english(vaccinationCard.label)} from admission_health where inquiry_id = ${inquiryId}
      union all select file_id, name from admission_document where inquiry_id = ${inquiryId}
    ) as named where named.file_id = ${fileId} limit 1`.execute(db);
  return rows[0]?.name;
}

/** What the family handed in with its last submission, or with the one before it; undefined if there is none. */
export async function readSubmission(
  { db, keys }: Context,
  inquiryId: number,
  which: 'last' | 'before' = 'last',
): Promise<Record<string, unknown> | undefined> {
  const row = await db
    .selectFrom('admission_submission')
    .where('inquiry_id', '=', inquiryId)
    .select('copy')
    .orderBy('id', 'desc')
    .offset(which === 'last' ? 0 : 1)
    .limit(1)
    .executeTakeFirst();
  if (!row) return undefined;
  const copy = open(keys.data, `admission_submission.copy:${inquiryId}`, row.copy).toString();
  const pages: Record<string, unknown> = JSON.parse(copy);
  return { ...pages, basicInfo: masked(pages.basicInfo as { aadharCardNo?: unknown } | undefined) };
}

/** Masked again: copies from before 26 November 2026 show a number whole that was typed in the digits of another script. */
function masked(basicInfo: { aadharCardNo?: unknown } | undefined) {
  const number = basicInfo?.aadharCardNo;
  return typeof number === 'string' ? { ...basicInfo, aadharCardNo: maskAadhaar(number) } : basicInfo;
}
