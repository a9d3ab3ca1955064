import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { studentKeepers } from '#access/contract/grants.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal, staleMessage } from '#kit/contract/errors.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import { type Context, contextOutside, type UserContext } from '#kit/server/context.ts';
import { peekNumber } from '#kit/server/database/numbering.ts';
import { toOutput } from '#kit/server/database/row-map.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { readFile, saveFile } from '#kit/server/files/files.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import {
  type CertificateLanguage,
  type CertificateWord,
  certificate,
  certificateApi,
  certificateKinds,
} from '../../contract/certificate.ts';
import { leavingReaders } from '../../contract/leaving.ts';
import { requireStudent, studentsSeen } from '../visible.ts';
import { factsIn, inEnglishLetters, languagesOf, proposedLanguages } from './certificate-language.ts';
import { keptOf, makeMany, runFile } from './certificate-many.ts';
import { certificatePaper, certificateTemplate, duplicateStamp, voidStamp, wordsOf } from './certificate-paper.ts';
import {
  differences,
  issueCertificates,
  kindOf,
  noLeaving,
  owedWords,
  planCertificates,
  requireIssuable,
  yearsOf,
} from './make-certificates.ts';

const isPrincipal = ({ user }: UserContext) => user.role === 'Staff' && user.sets.includes('principal');
const onlyPrincipal = text`The family has this certificate. Only the principal can void it.`;
const isVoidMessage = text`This certificate is void.`;

const isKept = async (ctx: UserContext, id: number) =>
  (await studentsSeen(ctx, studentKeepers).where('student.id', '=', id).select('student.id').execute()).length > 0;

const certificates: Handler<typeof certificateApi.certificates> = async (ctx, { id }) => {
  await requireStudent(ctx, id, leavingReaders);
  const rows = await ctx.db
    .selectFrom('student_certificate as own')
    .leftJoin('student_certificate as next', 'next.id', 'own.replaced_by_id')
    .where('own.student_id', '=', id)
    .select(['own.id', 'own.kind', 'own.number', 'own.leaving_id', 'own.issued_on', 'own.purpose', 'own.made_by'])
    .select(sql<CertificateLanguage>`coalesce(own.details->>'language', 'English')`.as('language'))
    .select(['own.handed_out_on', 'own.handed_to', 'own.voided_at', 'own.void_reason', 'next.number as replaced_by'])
    .select((from) =>
      from
        .selectFrom('student_certificate_copy as copy')
        .whereRef('copy.certificate_id', '=', 'own.id')
        .select(sql<number>`count(*)::integer`.as('count'))
        .$asScalar()
        .$notNull()
        .as('copies'),
    )
    .orderBy('own.id', 'desc')
    .execute();
  const keeps = await isKept(ctx, id);
  const principal = isPrincipal(ctx);
  const open = await ctx.db
    .selectFrom('student_leaving')
    .where('student_id', '=', id)
    .where('undone_at', 'is', null)
    .where('readmitted_on', 'is', null)
    .select(['id', 'conduct'])
    .executeTakeFirst();
  const live = rows.find(({ leaving_id, voided_at }) => open && leaving_id === open.id && voided_at === null);
  const whyNot = (kind: CertificateWord) => {
    if (kind !== 'Leaving') return null;
    if (!open) return noLeaving;
    return live ? text`Certificate ${{ number: live.number }} already exists.` : null;
  };
  return {
    certificates: rows.map((row) =>
      toOutput(certificate, row, {
        by: row.made_by,
        isVoid: row.voided_at !== null,
        may: {
          handOut: keeps && row.voided_at === null && row.handed_out_on === null,
          copy: keeps && row.voided_at === null && row.handed_out_on !== null,
          void: row.voided_at === null && (row.handed_out_on === null ? keeps || principal : principal),
        },
      }),
    ),
    kinds: keeps || principal ? certificateKinds.map((kind) => ({ kind, why: whyNot(kind) })) : [],
    conduct: open?.conduct ?? '',
    language: (await proposedLanguages(ctx, [id]))(id),
  };
};

const make: Handler<typeof certificateApi.make> = (
  ctx,
  { id, confirmToken, overrideReason, englishLetters, ...asked },
) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    await requireStudent(ctx, id, certificateApi.make.access);
    const kind = kindOf(ctx, asked.kind);
    const [plan] = await planCertificates(ctx, asked, [id]);
    if (!plan) throw new AppError('not_found', noLeaving);
    const { owes, facts } = plan;
    const principal = isPrincipal(ctx);
    const isBlocked = owes.length > 0 && !principal;
    requireIssuable(plan, isPreview || principal);
    if (!isPreview && owes.length > 0 && overrideReason === '')
      throw fieldRefusal(
        'overrideReason',
        text`Still owed: ${{ list: owes.map(english).join(', ') }}. Enter why it is issued.`,
      );
    const latin = inEnglishLetters(kind, facts, asked.language);
    if (!isPreview && latin.length > 0 && !englishLetters)
      throw fieldRefusal(
        'englishLetters',
        text`The register has these names in English letters only: ${{ list: latin.map(english).join(', ') }}. Enter them, or allow English letters.`,
      );
    const { entries, ...words } = wordsOf(kind, facts, asked);
    const languages = languagesOf(asked.language);
    const shown = languages.map((language) => factsIn(facts, language) as Record<string, unknown>);
    const [issued] = isPreview
      ? []
      : await issueCertificates(ctx, { ...asked, overrideReason: owes.length > 0 ? overrideReason : '' }, [plan]);
    const next = { code: kind.series, branchId: plan.branchId };
    return {
      answer: {
        id: issued?.id ?? null,
        number: issued?.number ?? (await peekNumber(ctx.db, next, await yearsOf(ctx, toLocalDate(ctx.now())))),
        page: {
          ...words,
          language: languages.at(-1) ?? 'en',
          entries: entries.map(([label, value]) => ({ label, value })),
        },
        empty: kind.expects.filter(({ fact }) => shown.every((one) => !one[fact])),
        owes,
        blocks: isBlocked ? [owedWords(owes)] : [],
        needsReason: owes.length > 0 && principal,
        differs: differences(plan),
        inEnglishLetters: latin,
      },
      // A token counts for one certificate: the next has another before it.
      basis: [id, asked, facts, plan.last?.id, owes.map(english)],
      isRefused: isBlocked,
    };
  });

const note = (
  ctx: UserContext,
  id: number,
  action: string,
  { kind, number }: { kind: string; number: string },
  more: Record<string, string> = {},
) => audit(ctx, { action, entity: 'student', entityId: id, details: { Certificate: kind, Number: number, ...more } });

/** A certificate of this student, locked if `locks`; throws `not_found`. */
async function getCertificate({ db }: Pick<Context, 'db'>, studentId: number, id: number, locks = false) {
  return db
    .selectFrom('student_certificate')
    .where('id', '=', id)
    .where('student_id', '=', studentId)
    .selectAll()
    .$if(locks, (query) => query.forUpdate())
    .executeTakeFirstOrThrow(notFound);
}
type Row = Awaited<ReturnType<typeof getCertificate>>;

const ownerOf = (id: number) => ({ table: 'student_certificate', id });

const file: Handler<typeof certificateApi.file> = async (ctx, { id, certificate, copyNo }) => {
  await requireStudent(ctx, id, certificateApi.file.access);
  const found = await getCertificate(ctx, id, certificate);
  const stamp = await stampOf(ctx, found, copyNo);
  const act = {
    action: 'student.certificate-printed',
    entity: 'student',
    entityId: id,
    details: { rows: 1, Certificate: found.kind, Number: found.number, ...(copyNo !== null && { Duplicate: copyNo }) },
  };
  return takeNames(ctx, { ...act, names: 1 }, async () => {
    if (!stamp) return readFile(ctx, ownerOf(found.id), found.file_id ?? (await keepPdf(ctx, found)));
    return { mediaType: 'application/pdf', name: nameOf(found), bytes: await pdfOf(ctx, found, stamp) };
  });
};

/** What is printed across a duplicate, or across one that is void. */
async function stampOf({ db }: UserContext, { id, voided_at }: Row, copyNo: number | null): Promise<Text | undefined> {
  if (copyNo !== null) {
    await db
      .selectFrom('student_certificate_copy')
      .where('certificate_id', '=', id)
      .where('copy_no', '=', copyNo)
      .select('copy_no')
      .executeTakeFirstOrThrow(notFound);
    return duplicateStamp(copyNo);
  }
  return voided_at ? voidStamp : undefined;
}

const nameOf = ({ kind, number }: Row) => `${kind}-certificate-${number}.pdf`.replaceAll(/[^\w.]+/g, '-').toLowerCase();

async function pdfOf(ctx: Context, row: Row, stamp?: Text) {
  const paper = certificatePaper(await ctx.readPaperHead(ctx), kindOf(ctx, row.kind), [{ ...keptOf(ctx, row), stamp }]);
  return ctx.makePaper(certificateTemplate, paper, { owner: ctx.caller.owner });
}

/** Makes and stores the PDF, unless another request has done so. Returns the file's id. */
async function keepPdf(ctx: Context, row: Row): Promise<string> {
  // Made before any lock is taken, and stored though its caller may be gone.
  const bytes = await pdfOf(ctx, row);
  return ctx.db.transaction().execute(async (db) => {
    const { file_id } = await getCertificate({ db }, row.student_id, row.id, true);
    if (file_id) return file_id;
    const sha256 = createHash('sha256').update(bytes).digest();
    const upload = { name: nameOf(row), mediaType: 'application/pdf', bytes, sha256 };
    const kept = await saveFile({ ...contextOutside(ctx, ctx.requestId), db }, ownerOf(row.id), 'file', upload);
    await db.updateTable('student_certificate').set({ file_id: kept }).where('id', '=', row.id).execute();
    return kept;
  });
}

const copy: Handler<typeof certificateApi.copy> = async (ctx, { id, certificate, reason }) => {
  await requireStudent(ctx, id, certificateApi.copy.access);
  const found = await getCertificate(ctx, id, certificate, true);
  if (found.voided_at) throw new AppError('conflict', isVoidMessage);
  if (found.handed_out_on === null)
    throw new AppError('conflict', text`The original was not handed out yet. Print the original.`);
  const { copy_no } = await ctx.db
    .insertInto('student_certificate_copy')
    .values(({ selectFrom }) => ({
      certificate_id: certificate,
      copy_no: selectFrom('student_certificate_copy')
        .where('certificate_id', '=', certificate)
        .select(sql<number>`coalesce(max(copy_no), 0) + 1`.as('next')),
      reason,
      printed_by: ctx.user.name,
      printed_at: ctx.now(),
    }))
    .returning('copy_no')
    .executeTakeFirstOrThrow();
  await note(ctx, id, 'student.certificate-copied', found, { Duplicate: String(copy_no), Reason: reason });
  return { copyNo: copy_no };
};

const handOut: Handler<typeof certificateApi.handOut> = async (ctx, { id, certificate, handedTo, handedOutOn }) => {
  await requireStudent(ctx, id, certificateApi.handOut.access);
  const found = await getCertificate(ctx, id, certificate, true);
  if (found.voided_at) throw new AppError('conflict', isVoidMessage);
  if (found.handed_out_on !== null) throw new AppError('stale', staleMessage);
  const today = toLocalDate(ctx.now());
  if (handedOutOn < found.issued_on || handedOutOn > today)
    throw fieldRefusal(
      'handedOutOn',
      text`Choose a day from ${{ first: showDate(found.issued_on) }} to ${{ last: showDate(today) }}.`,
    );
  await ctx.db
    .updateTable('student_certificate')
    .set({ handed_out_on: handedOutOn, handed_to: handedTo })
    .where('id', '=', certificate)
    .execute();
  await note(ctx, id, 'student.certificate-handed-out', found, { To: handedTo, On: handedOutOn });
  return {};
};

const voidOne: Handler<typeof certificateApi.void> = async (ctx, { id, certificate, reason }) => {
  await requireStudent(ctx, id, certificateApi.void.access);
  const found = await getCertificate(ctx, id, certificate, true);
  if (found.voided_at) throw new AppError('stale', staleMessage);
  if (found.handed_out_on !== null && !isPrincipal(ctx)) throw new AppError('forbidden', onlyPrincipal);
  await ctx.db
    .updateTable('student_certificate')
    .set({ voided_at: ctx.now(), void_reason: reason })
    .where('id', '=', certificate)
    .execute();
  await note(ctx, id, 'student.certificate-voided', found, { Reason: reason });
  return {};
};

export const certificateRoutes = routes(certificateApi, {
  certificates,
  make,
  makeMany,
  runFile,
  file,
  copy,
  handOut,
  void: voidOne,
});
