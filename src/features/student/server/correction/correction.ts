import { sql, type Updateable } from 'kysely';
import type { Student } from '#database/types.ts';
import { requestApproval } from '#features/approval/api.ts';
import { isNoName, oneNameWords } from '#features/school/contract/one-name.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { type Field, inactiveMessage, pick } from '#kit/contract/field.ts';
import { isRequired } from '#kit/contract/fields.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { isDuplicate } from '#kit/server/database/database.ts';
import { toOutput, toRow } from '#kit/server/database/row-map.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { readFile, saveFile } from '#kit/server/files/files.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { refuseInactive } from '#kit/server/master/choices.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { readFields } from '#kit/server/record/read-fields.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import {
  type Correction,
  correctedFields,
  correction,
  correctionApi,
  correctionMessages,
  needsPaper,
  type RegisterName,
  registerFields,
  registerNames,
} from '../../contract/correction.ts';
import { timelineReaders } from '../../contract/record.ts';
import { requireStudent } from '../visible.ts';
import { readEntryLocks } from './entry-lock.ts';

const ownerOf = (id: number) => ({ table: 'student_correction', id });
const isPrincipal = ({ user }: UserContext) => user.role === 'Staff' && user.sets.includes('principal');
const notClosed = text`This entry is still open. Edit it on the record.`;
const unchanged = text`This is what the register says already.`;

/** The fact of a certificate that prints an entry. */
const factOf: Partial<Record<RegisterName, string>> = {
  firstName: 'name',
  middleName: 'name',
  lastName: 'name',
  firstNameLocal: 'name',
  middleNameLocal: 'name',
  lastNameLocal: 'name',
  birthDate: 'birthDate',
  birthPlace: 'birthPlace',
  birthPlaceLocal: 'birthPlace',
  nationalityId: 'nationality',
  motherTongueId: 'motherTongue',
  religionId: 'religion',
  casteCategoryId: 'caste',
  caste: 'caste',
  subCaste: 'caste',
};
const onEvery = ['name', 'birthDate'];

interface InForce {
  id: number;
  kind: string;
  number: string;
  language: string;
  isOut: boolean;
}

/** The leaving certificate prints all entries, the others name and birth date; one in English no local script. */
function prints({ kind, language }: InForce, name: RegisterName): boolean {
  const fact = factOf[name];
  if (!fact || (kind !== 'Leaving' && !onEvery.includes(fact))) return false;
  return language !== 'English' || !name.endsWith('Local');
}

async function certificatesInForce({ db }: Pick<Context, 'db'>, studentId: number): Promise<InForce[]> {
  const { rows } = await sql<InForce>`select id, kind, number, coalesce(details ->> 'language', 'English') as language,
      handed_out_on is not null as "isOut" from student_certificate
    where student_id = ${studentId} and voided_at is null order by id`.execute(db);
  return rows;
}

/** The certificates in force that print an entry. */
const certificatesOf = async (ctx: Pick<Context, 'db'>, studentId: number, name: RegisterName) =>
  (await certificatesInForce(ctx, studentId)).filter((one) => prints(one, name));

const touchWords = ({ number, isOut }: InForce): Text =>
  isOut
    ? text`${{ number }} is with the family and says otherwise. Ask for it back, void it and issue a new one.`
    : text`${{ number }} is still at the school: it becomes void. Issue a new one.`;

const list: Handler<typeof correctionApi.list> = async (ctx, { id }) => {
  await requireStudent(ctx, id, timelineReaders);
  const rows = await ctx.db
    .selectFrom('student_correction')
    .where('student_id', '=', id)
    .selectAll()
    .orderBy('id', 'desc')
    .execute();
  const lock = (await readEntryLocks(ctx, toLocalDate(ctx.now()), [id])).get(id) ?? { closedOn: '', openUntil: '' };
  return {
    corrections: rows.map((row) =>
      toOutput(correction, row, {
        field: row.field as RegisterName,
        kind: row.kind as Correction['kind'],
        status: row.status as Correction['status'],
        hasPaper: row.file_id !== null,
        askedOn: toLocalDate(row.asked_at),
        doneOn: row.done_at ? toLocalDate(row.done_at) : '',
      }),
    ),
    ...lock,
    needsSecond: !isPrincipal(ctx) && (await hasCertificateOut(ctx, id)),
    touches: (await certificatesInForce(ctx, id)).flatMap((one) => {
      const fields = registerNames.filter((name) => prints(one, name));
      return fields.length > 0 ? [{ fields, text: touchWords(one) }] : [];
    }),
  };
};

/** A certificate of the student is with the family, so a second person decides. */
const hasCertificateOut = async ({ db }: Pick<Context, 'db'>, studentId: number) =>
  (await db
    .selectFrom('student_certificate')
    .where('student_id', '=', studentId)
    .where('voided_at', 'is', null)
    .where('handed_out_on', 'is not', null)
    .select('id')
    .limit(1)
    .executeTakeFirst()) !== undefined;

const correct: Handler<typeof correctionApi.correct> = async (ctx, { id, field: word, ...entered }) => {
  const name = word as RegisterName;
  const { branch_id } = await requireStudent(ctx, id, correctionApi.correct.access);
  const before = await readFields(ctx, 'student', registerFields, id, { locks: true });
  const { closedOn = '' } = (await readEntryLocks(ctx, toLocalDate(ctx.now()), [id])).get(id) ?? {};
  if (closedOn === '') throw fieldRefusal('field', notClosed);
  const field: Field = registerFields[name];
  const value = (entered as Record<string, unknown>)[name] ?? '';
  if (value === '' && !field.optional) throw fieldRefusal(name, isRequired(field.label));
  if (name === 'lastName' && value === '' && !entered.hasOneName) throw fieldRefusal(name, oneNameWords.asks);
  if ((name === 'firstName' || name === 'lastName') && value !== '' && isNoName(String(value)))
    throw fieldRefusal(name, (name === 'lastName' ? oneNameWords.noLastName : oneNameWords.noName)(String(value)));
  const stored = String(before.saved[name] ?? '');
  if (String(value) === stored) throw fieldRefusal(name, unchanged);
  await refuseInactive(ctx, { fields: pick(correctedFields, name) as never }, { [name]: value } as never);
  if (entered.kind === 'Clerical mistake' && needsPaper.includes(name) && !ctx.uploads.paper)
    throw fieldRefusal('paper', correctionMessages.paper);
  checkDays(ctx, entered, String(before.saved.birthDate ?? ''));
  const { id: correctionId } = await ctx.db
    .insertInto('student_correction')
    .values({
      student_id: id,
      field: name,
      old_value: await shownOf(ctx, field, stored),
      new_value: await shownOf(ctx, field, String(value)),
      old_stored: stored,
      new_stored: String(value),
      kind: String(entered.kind),
      reason: entered.reason,
      authority: entered.kind === 'By order' ? entered.authority : '',
      order_no: entered.kind === 'By order' ? entered.orderNo : '',
      order_on: entered.kind === 'By order' ? entered.orderOn : null,
      is_printed: entered.isPrinted,
      asked_by: ctx.user.name,
      asked_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      if (isDuplicate(error, 'student_correction_open')) throw fieldRefusal('field', correctionMessages.open);
      throw error;
    });
  if (ctx.uploads.paper) {
    const file_id = await saveFile(ctx, ownerOf(correctionId), 'paper', ctx.uploads.paper);
    await ctx.db.updateTable('student_correction').set({ file_id }).where('id', '=', correctionId).execute();
  }
  const needsSecond = !isPrincipal(ctx) && (await hasCertificateOut(ctx, id));
  const details = { Entry: english(field.label), Kind: String(entered.kind), Reason: entered.reason };
  await audit(ctx, { action: 'student.correction-asked', entity: 'student', entityId: id, details });
  if (needsSecond)
    await requestApproval(ctx, {
      kind: 'student.correction',
      subjectId: correctionId,
      branchId: branch_id,
      studentId: id,
      title: text`Correction: ${{ entry: english(field.label) }}`,
      reason: entered.reason,
    });
  else await applyCorrection(ctx, correctionId);
  return { id: correctionId, isDone: !needsSecond };
};

/** An order is not older than the child, and neither it nor a birth date is ahead. */
function checkDays(ctx: UserContext, { orderOn, birthDate }: { orderOn: string; birthDate: string }, bornOn: string) {
  const today = toLocalDate(ctx.now());
  if (orderOn !== '' && (orderOn > today || orderOn < (birthDate || bornOn)))
    throw fieldRefusal('orderOn', text`Choose a day after the birth and not after today.`);
}

/** A value as the register shows it. */
async function shownOf({ db }: Pick<Context, 'db'>, field: Field, stored: string): Promise<string> {
  if (stored === '') return '';
  if (field.kind === 'birthDate') return showDate(stored);
  if (field.kind !== 'ref') return stored;
  const row = await db.selectFrom('academic_lookup').where('id', '=', Number(stored)).select('name').executeTakeFirst();
  if (!row) throw new AppError('invalid', inactiveMessage);
  return row.name;
}

/** Writes the new entry, and voids certificates of the old one that are still at the school. */
export async function applyCorrection(ctx: UserContext, correctionId: number): Promise<void> {
  const { db } = ctx;
  const one = await db
    .selectFrom('student_correction')
    .where('id', '=', correctionId)
    .where('status', '=', 'Asked')
    .selectAll()
    .executeTakeFirstOrThrow(notFound);
  const name = one.field as RegisterName;
  const id = one.student_id;
  const before = await readFields(ctx, 'student', registerFields, id, { locks: true });
  if (String(before.saved[name] ?? '') !== one.old_stored)
    throw new AppError('conflict', text`The entry has changed since the correction was requested. Request it again.`);
  const field: Field = registerFields[name];
  const value = field.kind === 'ref' ? (one.new_stored === '' ? null : Number(one.new_stored)) : one.new_stored;
  const row = toRow(pick(registerFields, name) as never, { [name]: value } as never) as Updateable<Student>;
  const rules = {
    table: 'student',
    fields: registerFields,
    constraintMessages: {
      student_admitted_after_birth: { field: name, message: text`Choose a day before the admission.` },
    },
  };
  await withConstraintMessages(ctx, rules, () =>
    db
      .updateTable('student')
      .set({ ...row, version: sql`version + 1` })
      .where('id', '=', id)
      .execute(),
  );
  const voided = (await certificatesOf(ctx, id, name)).filter(({ isOut }) => !isOut);
  if (voided.length > 0)
    await db
      .updateTable('student_certificate')
      .set({ voided_at: ctx.now(), void_reason: 'The register entry was corrected' })
      .where(
        'id',
        'in',
        voided.map((certificate) => certificate.id),
      )
      .execute();
  await db
    .updateTable('student_correction')
    .set({ status: 'Done', done_by: ctx.user.name, done_at: ctx.now(), version: sql`version + 1` })
    .where('id', '=', correctionId)
    .execute();
  const hides = field.isUnlogged || field.needsReason;
  await audit(ctx, {
    action: 'student.corrected',
    entity: 'student',
    entityId: id,
    version: before.version + 1,
    details: {
      [english(field.label)]: hides ? '••••' : `${one.old_value || '–'} → ${one.new_value || '–'}`,
      Reason: one.reason,
      ...(one.order_no && { Order: one.order_no }),
      ...(voided.length > 0 && { Void: voided.map(({ number }) => number).join(', ') }),
    },
  });
}

/** Ends a correction without a change. */
export async function endCorrections(ctx: UserContext, ids: readonly number[], status: 'Rejected' | 'Withdrawn') {
  await ctx.db
    .updateTable('student_correction')
    .set({ status, done_by: ctx.user.name, done_at: ctx.now(), version: sql`version + 1` })
    .where('id', 'in', ids)
    .where('status', '=', 'Asked')
    .execute();
}

/** What happens to the certificates that print an entry, for the principal. */
export const effectOf = async (ctx: UserContext, studentId: number, name: RegisterName): Promise<Text[]> =>
  (await certificatesOf(ctx, studentId, name)).map(touchWords);

const file: Handler<typeof correctionApi.file> = async (ctx, { id, correction }) => {
  await requireStudent(ctx, id, timelineReaders);
  const { file_id } = await ctx.db
    .selectFrom('student_correction')
    .where('id', '=', correction)
    .where('student_id', '=', id)
    .select('file_id')
    .executeTakeFirstOrThrow(notFound);
  if (!file_id) throw new AppError('not_found', notFoundMessage);
  await audit(ctx, { action: 'student.correction-paper-opened', entity: 'student', entityId: id });
  return readFile(ctx, ownerOf(correction), file_id);
};

export const correctionRoutes = routes(correctionApi, { list, correct, file });
