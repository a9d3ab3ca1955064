import { sql } from 'kysely';
import { AppError, type FieldErrors, problemMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { LinkContext } from '#kit/server/context.ts';
import { columnsOf, toRow, toWire } from '#kit/server/database/row-map.ts';
import { removeFile, saveFile } from '#kit/server/files/files.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { lockedParentFields } from '../contract/inquiry.ts';
import {
  absence,
  absentParents,
  adoptionDocumentRequired,
  divorceDocumentRequired,
  familyPhotoRequired,
  type ParentInfo,
  parentInfoApi,
} from '../contract/parent-info.ts';
import { isOffered } from './career.ts';
import {
  answer,
  auditChange,
  checkOwner,
  done,
  isClosed,
  nextVersion,
  openForChange,
  pageSaved,
  submittedAnswer,
} from './form.ts';
import { notApplicable } from './inquiry.ts';
import { inquiryColumns, parentInfoColumns } from './wire.ts';

const list = 'lstStudentAdmissionParentInfo';
const page = 2;

const get: Handler<typeof parentInfoApi.get> = async (ctx, input) => {
  checkOwner(ctx, input);
  if (isClosed(ctx, page)) return submittedAnswer(ctx, list);
  return readParentInfo(ctx);
};

const save: Handler<typeof parentInfoApi.save> = async (ctx, values) => {
  await openForChange(ctx, values, page);
  const stored = await findParentInfo(ctx);
  const version = await nextVersion(ctx, 'admission_parent_info', stored, values.rowVersion);
  const input = { ...values, ...(await lockedValues(ctx)) };
  await checkCareers(ctx, input);

  const files = await keepFiles(ctx, input, stored);
  const row = { ...toRow(parentInfoColumns, tidy(input)), ...files, version, updated_at: ctx.now() };
  const saved = await ctx.db
    .insertInto('admission_parent_info')
    .values({ inquiry_id: ctx.inquiry.id, ...row })
    .onConflict((conflict) => conflict.column('inquiry_id').doUpdateSet(row))
    .returning(columns)
    .executeTakeFirstOrThrow();

  const replaced = [
    [stored?.family_photo_id, files.family_photo_id],
    [stored?.divorce_document_id, files.divorce_document_id],
    [stored?.adoption_document_id, files.adoption_document_id],
  ];
  for (const [before, after] of replaced) if (before !== after) await removeFile(ctx, before);
  await auditAbsence(ctx, input, stored);
  await pageSaved(ctx, 'admission_parent_info', version);
  return done(answerWith(ctx, saved), text`Saved.`);
};

const parents = ['father', 'mother'] as const;

/** That a parent cannot be named, or now can, has a row of its own: the office confirms it at review. */
async function auditAbsence(ctx: LinkContext, draft: Draft, stored: Stored) {
  const before = { father: stored?.has_no_father ?? false, mother: stored?.has_no_mother ?? false };
  for (const who of parents) {
    const isAbsent = draft[absence[who].isAbsent];
    if (isAbsent === before[who]) continue;
    const action = `admission.${who}.${isAbsent ? 'absent' : 'named'}`;
    await auditChange(ctx, { action, entity: 'admission_parent_info' });
  }
}

/** The parents whom the school has waived or page 2 says cannot be named: page 4 does not ask about them either. */
export const absentOrWaived = async (ctx: LinkContext) => {
  const { detailsNotApplicable: waived } = await knownNotApplicable(ctx);
  const saved = (await readParentInfo(ctx)).data.lstStudentAdmissionParentInfo[0];
  return { detailsNotApplicable: [...new Set([...waived, ...absentParents(saved)])] };
};

/** The inquiry says which parent is waived, never the request (A9). */
const knownNotApplicable = async ({ db, inquiry }: LinkContext) => {
  const waived = await db
    .selectFrom('admission_inquiry')
    .where('id', '=', inquiry.id)
    .select(['father_waived_reason', 'mother_waived_reason'])
    .executeTakeFirstOrThrow();
  return { detailsNotApplicable: notApplicable(waived) };
};

export default routes(parentInfoApi, { get, save }, { save: knownNotApplicable });

/** The saved page 2 of the link holder, as the wire has it. */
export async function readParentInfo(ctx: LinkContext) {
  const stored = await findParentInfo(ctx);
  return stored ? answerWith(ctx, stored) : answer(list, [] as ParentInfo[]);
}

function answerWith(ctx: LinkContext, stored: NonNullable<Stored>) {
  const row = {
    ...toWire(parentInfoColumns, stored),
    admissionID: ctx.inquiry.id,
    inquiryNo: ctx.inquiry.number,
    familyImagePath: stored.family_photo_id,
    divorceDocumentPath: stored.divorce_document_id,
    adoptionDocumentPath: stored.adoption_document_id,
    createdBy: 0,
    updatedBy: 0,
  };
  return answer(list, [row], stored.version);
}

const columns = [
  ...columnsOf(parentInfoColumns),
  'family_photo_id',
  'divorce_document_id',
  'adoption_document_id',
  'version',
  'updated_at',
] as const;

const findParentInfo = ({ db, inquiry }: LinkContext) =>
  db.selectFrom('admission_parent_info').where('inquiry_id', '=', inquiry.id).select(columns).executeTakeFirst();

type Draft = Parameters<typeof save>[1];
type Stored = Awaited<ReturnType<typeof findParentInfo>>;

/** The parents' names and contacts that the inquiry fixes. */
export async function lockedValues({ db, inquiry }: Pick<LinkContext, 'db' | 'inquiry'>) {
  const row = await db
    .selectFrom('admission_inquiry')
    .where('id', '=', inquiry.id)
    .select(columnsOf(inquiryColumns))
    .executeTakeFirstOrThrow();
  const known = toWire(inquiryColumns, row);
  return Object.fromEntries(
    lockedParentFields.filter((field) => known[field]).map((field) => [field, known[field]]),
  ) as Partial<Record<(typeof lockedParentFields)[number], string>>;
}

/** Clears values whose question is no longer asked: a Homemaker's sector, a hidden guardian, an unnamed parent (A26, 1.2). */
function tidy(draft: Draft) {
  const tidied: Record<string, unknown> = {
    ...draft,
    isParentDivorced: draft.isParentDivorced ?? false,
    isChildAdopted: draft.isChildAdopted ?? false,
    // A waived parent has none; the column holds only dates.
    fatherBirthDate: draft.fatherBirthDate || null,
    motherBirthDate: draft.motherBirthDate || null,
  };
  for (const who of ['father', 'mother', 'guardian'] as const) {
    if (draft[`${who}Occupation`] === 'Homemaker' || draft[`${who}Occupation`] === '') {
      tidied[`${who}CareerClusterID`] = null;
      tidied[`${who}CareePathwayID`] = null;
    }
    if (draft[`${who}CanVisitWorkplace`] !== true) tidied[`${who}WorkplaceInfo`] = '';
  }
  if (draft.parentWorkingatFS !== true) tidied.staffHRISEmployeeID = '';
  const clear = (who: string) => {
    for (const field of Object.keys(parentInfoColumns).filter((name) => name.startsWith(who))) {
      tidied[field] = typeof tidied[field] === 'string' ? '' : null;
    }
  };
  if (draft.isParentLocalGuardian === true) clear('guardian');
  for (const who of parents) {
    const { isAbsent, reason } = absence[who];
    if (!draft[isAbsent]) tidied[reason] = '';
    else {
      clear(who);
      tidied[`${who}BirthDate`] = null;
    }
  }
  return tidied as Draft & { isParentDivorced: boolean; isChildAdopted: boolean; isParentLocalGuardian: boolean };
}

/** A specialty must belong to the sector beside it, and both must be on the list. */
async function checkCareers(ctx: LinkContext, draft: Draft) {
  const sectorOf = await sectorsOf(ctx, draft);
  const fields: FieldErrors = {};
  for (const who of ['father', 'mother', 'guardian'] as const) {
    const [sector, specialty] = [draft[`${who}CareerClusterID`], draft[`${who}CareePathwayID`]];
    if (sector !== null && sectorOf.get(sector) !== null) {
      fields[`${who}CareerClusterID`] = text`Choose one from the list.`;
    }
    if (specialty !== null && (sector === null || sectorOf.get(specialty) !== sector)) {
      fields[`${who}CareePathwayID`] = text`Choose one from the list.`;
    }
  }
  if (Object.keys(fields).length > 0) throw new AppError('invalid', problemMessage, { fields });
}

/** The sector of each chosen sector and specialty on the list; null for a sector itself. */
async function sectorsOf({ db, inquiry }: LinkContext, draft: Draft) {
  const chosen = (['father', 'mother', 'guardian'] as const)
    .flatMap((who) => [draft[`${who}CareerClusterID`], draft[`${who}CareePathwayID`]])
    .filter((id) => id !== null);
  if (chosen.length === 0) return new Map<number, number | null>();
  const careers = await db
    .selectFrom('academic_career')
    .where('id', '=', sql<number>`any(${chosen})`)
    .where(isOffered(inquiry.id))
    .select(['id', 'sector_id'])
    .execute();
  return new Map(careers.map(({ id, sector_id }) => [id, sector_id]));
}

/** The ids of the three files after this save. A No clears its document; a Yes needs one (A30, A31). */
async function keepFiles(ctx: LinkContext, draft: Draft, stored: Stored) {
  const {
    FamilyImageIFormFile: family,
    DivorceDocumentIFormFile: divorce,
    AdoptionDocumentIFormFile: adoption,
  } = ctx.uploads;
  // An empty path means that the parent removed the stored document.
  const keeps = (path: unknown) => path !== '';
  const storedDivorce = keeps(draft.divorceDocumentPath) ? stored?.divorce_document_id : null;
  const storedAdoption = keeps(draft.adoptionDocumentPath) ? stored?.adoption_document_id : null;

  const fields: FieldErrors = {};
  if (!family && !stored) fields.FamilyImageIFormFile = familyPhotoRequired;
  if (draft.isParentDivorced && !divorce && !storedDivorce) fields.DivorceDocumentIFormFile = divorceDocumentRequired;
  if (draft.isChildAdopted && !adoption && !storedAdoption) fields.AdoptionDocumentIFormFile = adoptionDocumentRequired;
  const [first, ...rest] = Object.values(fields);
  if (first) throw new AppError('invalid', rest.length > 0 ? problemMessage : first, { fields });

  const owner = { table: 'admission_inquiry', id: ctx.inquiry.id };
  const keep = async (field: string, before: string | null | undefined) => {
    const upload = ctx.uploads[field];
    return upload ? saveFile(ctx, owner, field, upload) : (before ?? null);
  };
  return {
    family_photo_id: (await keep('FamilyImageIFormFile', stored?.family_photo_id)) ?? '',
    divorce_document_id: draft.isParentDivorced ? await keep('DivorceDocumentIFormFile', storedDivorce) : null,
    adoption_document_id: draft.isChildAdopted ? await keep('AdoptionDocumentIFormFile', storedAdoption) : null,
  };
}
