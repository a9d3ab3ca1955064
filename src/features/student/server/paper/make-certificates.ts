import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { yearNames } from '#features/school/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { ActingContext, CertificateKind } from '#kit/server/context.ts';
import { drawNumbers, refusingRepeat } from '#kit/server/database/numbering.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { ask } from '#kit/server/hook.ts';
import type { NotDone } from '#kit/server/job/runs.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { leavingCheck } from '../../contract/hooks.ts';
import { type CertificateFacts, readCertificateFacts } from './certificate-facts.ts';

export const noLeaving = text`Record the student’s last day first.`;
const notEnrolled = text`This student was not enrolled yet.`;

/** A certificate as it is asked for: its kind, and what is typed for it. */
export interface AskedCertificate {
  kind: string;
  /** English where it is not chosen. */
  language?: string;
  purpose: string;
  conduct: string;
  /** Why the principal issues it although something is owed. */
  overrideReason?: string;
  runId?: number;
}

export function kindOf({ certificates }: Pick<ActingContext, 'certificates'>, word: string): CertificateKind {
  const kind = certificates.find((one) => one.kind === word);
  if (!kind) throw new Error(`No manifest has the certificate ${word}.`);
  return kind;
}

export interface PlannedCertificate {
  studentId: number;
  name: string;
  branchId: number;
  leavingId: number | null;
  facts: CertificateFacts;
  owes: Text[];
  /** Why it cannot be issued to anyone; what is owed is not among this. */
  why: Text | undefined;
  /** The last of this kind that is not void. */
  last: { id: number; issuedOn: string; facts: CertificateFacts } | undefined;
}

/** What these students' certificates would say, and what is in the way, in the order of the ids. Locks the students. */
export async function planCertificates(
  ctx: ActingContext,
  { kind: word }: AskedCertificate,
  ids: readonly number[],
): Promise<PlannedCertificate[]> {
  const { db } = ctx;
  const kind = kindOf(ctx, word);
  const isLeaving = word === 'Leaving';
  // Acts on one child run one after the other.
  await sql`select from student where id = any(${[...ids]}::integer[]) order by id for update`.execute(db);
  await sql`select from student_leaving where student_id = any(${[...ids]}::integer[]) and undone_at is null
    and readmitted_on is null order by id for update`.execute(db);
  const { rows } = await sql<{
    id: number;
    name: string;
    branchId: number;
    leavingId: number | null;
    lastDay: string | null;
    live: string | null;
    last: PlannedCertificate['last'] | null;
  }>`select student.id, student.name, student.branch_id as "branchId", leaving.id as "leavingId",
      leaving.last_day::text as "lastDay",
      (select number from student_certificate where leaving_id = leaving.id and voided_at is null) as live,
      (select jsonb_build_object('id', id, 'issuedOn', issued_on, 'facts', facts) from student_certificate
        where student_id = student.id and kind = ${word} and voided_at is null order by id desc limit 1) as last
    from unnest(${[...ids]}::integer[]) with ordinality as asked (id, place)
    join student on student.id = asked.id
    left join student_leaving leaving on leaving.student_id = student.id and leaving.undone_at is null and leaving.readmitted_on is null
    order by asked.place`.execute(db);
  const today = toLocalDate(ctx.now());
  const asked = rows.map(({ id, leavingId, lastDay }) => ({
    id,
    leavingId: lastDay !== null && (isLeaving || lastDay < today) ? leavingId : null,
  }));
  const facts = await readCertificateFacts(ctx, asked);
  const more = await kind.readMore?.(ctx, ids);
  const owed = isLeaving ? await listOwed(ctx, rows) : new Map<number, Text[]>();
  return rows.map(({ id, live, last, ...row }) => {
    const own = facts.get(id);
    const why =
      isLeaving && row.leavingId === null
        ? noLeaving
        : live && isLeaving
          ? text`Certificate ${{ number: live }} already exists.`
          : own
            ? undefined
            : notEnrolled;
    return {
      studentId: id,
      name: row.name,
      branchId: row.branchId,
      leavingId: isLeaving ? row.leavingId : null,
      facts: { ...(own as CertificateFacts), ...more?.get(id) },
      owes: owed.get(id) ?? [],
      why,
      last: last ?? undefined,
    };
  });
}

/** What leavers owe by their last days; one question for each day. */
async function listOwed(ctx: ActingContext, rows: readonly { id: number; lastDay: string | null }[]) {
  const owed = new Map<number, Text[]>();
  const byDay = Map.groupBy(
    rows.filter(({ lastDay }) => lastDay !== null),
    ({ lastDay }) => lastDay ?? '',
  );
  for (const [day, leavers] of byDay)
    for (const { output } of await ask(ctx, leavingCheck, { studentIds: leavers.map(({ id }) => id), day }))
      for (const [id, texts] of output) owed.set(id, [...(owed.get(id) ?? []), ...texts]);
  return owed;
}

export const owedWords = (owes: readonly Text[]) =>
  text`Still owed: ${{ list: owes.map(english).join(', ') }}. Only the principal can issue the certificate.`;

/** Draws the numbers in the order of the plans, and keeps what the certificates say. The numbers have no gap. */
export async function issueCertificates(
  ctx: ActingContext & { actor?: string },
  asked: AskedCertificate,
  plans: readonly PlannedCertificate[],
): Promise<{ id: number; studentId: number; number: string }[]> {
  const { db } = ctx;
  const kind = kindOf(ctx, asked.kind);
  const language = asked.language === 'English' ? '' : asked.language;
  const issuedOn = toLocalDate(ctx.now());
  const years = await yearsOf(ctx, issuedOn);
  const issued: { id: number; studentId: number; number: string }[] = [];
  // A branch may have a series of its own.
  for (const [branchId, own] of Map.groupBy(plans, (plan) => plan.branchId)) {
    const numbers = await drawNumbers(db, { code: kind.series, branchId }, years, own.length);
    const rows = own.map(({ studentId, leavingId, facts }, index) => ({
      kind: kind.kind,
      number: numbers[index]?.number ?? '',
      student_id: studentId,
      leaving_id: leavingId,
      branch_id: branchId,
      issued_on: issuedOn,
      purpose: asked.purpose,
      details: JSON.stringify({
        ...(asked.conduct && { conduct: asked.conduct }),
        ...(language && { language }),
      }),
      facts: JSON.stringify(facts),
      code: newCode(),
      run_id: asked.runId ?? null,
      made_by: ctx.user?.name ?? ctx.actor ?? 'Shala',
      made_at: ctx.now(),
      override_reason: asked.overrideReason ?? '',
    }));
    const made = await db
      .insertInto('student_certificate')
      .values(rows)
      .returning(['id', 'student_id as studentId', 'number'])
      .execute()
      .catch(refusingRepeat('student_certificate_number_unique', rows[0]?.number ?? ''));
    issued.push(...made);
  }
  await sql`update student_certificate old set replaced_by_id = new.id
    from student_certificate new where new.id = any(${issued.map(({ id }) => id)}::integer[])
      and old.student_id = new.student_id and old.kind = new.kind and old.id < new.id
      and old.voided_at is not null and old.replaced_by_id is null`.execute(db);
  await auditAll(
    ctx,
    issued.map(({ studentId, number }) => ({
      ...(ctx.user ? {} : { actor: ctx.actor ?? 'Shala' }),
      action: 'student.certificate-made',
      entity: 'student',
      entityId: studentId,
      details: {
        Certificate: kind.kind,
        Number: number,
        ...(language && { Language: language }),
        ...(asked.overrideReason && { Override: asked.overrideReason }),
      },
    })),
  );
  return issued;
}

/**
 * Issues certificates of one kind in the order of these students, in the transaction of the caller. Names those who get
 * none, with the reason.
 */
export async function makeCertificates(
  ctx: ActingContext & { actor?: string },
  asked: AskedCertificate,
  ids: readonly number[],
): Promise<{ issued: { id: number; studentId: number; number: string }[]; notDone: Map<number, NotDone> }> {
  const plans = await planCertificates(ctx, asked, ids);
  const ready = plans.filter(({ why, owes }) => !why && owes.length === 0);
  const notDone = new Map(
    plans.flatMap(({ studentId, why, owes }): [number, NotDone][] =>
      why || owes.length > 0 ? [[studentId, { status: 'Skipped', reason: why ?? owedWords(owes) }]] : [],
    ),
  );
  return { issued: ready.length > 0 ? await issueCertificates(ctx, asked, ready) : [], notDone };
}

/** The years of a certificate: the academic one holds the day of issue, whichever is current. */
export async function yearsOf(ctx: Pick<ActingContext, 'db' | 'now'>, day: string) {
  const year = await ctx.db
    .selectFrom('academic_year')
    .where('starts_on', '<=', day)
    .where('ends_on', '>=', day)
    .select('name')
    .executeTakeFirst();
  const today = await yearNames(ctx);
  return { ...today, academicYear: year?.name ?? today.academicYear };
}

/** The signs of short links. */
const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** A code of ten signs that nobody can guess: about 58 bits. */
export const newCode = () => Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)]).join('');

const compared: [Exclude<keyof CertificateFacts, 'corrections' | 'local'>, Text][] = [
  ['name', text`name`],
  ['birthDate', text`birth date`],
  ['father', text`father’s name`],
  ['mother', text`mother’s name`],
  ['caste', text`caste`],
  ['currentClass', text`class`],
];

/** What the last certificate of the kind said otherwise. */
export function differences({ last, facts }: PlannedCertificate): Text[] {
  if (!last) return [];
  const day = showDate(last.issuedOn);
  return compared.flatMap(([name, label]) => {
    const was = last.facts[name] ?? '';
    if (was === '' || was === facts[name]) return [];
    const value = name === 'birthDate' ? showDate(was) : was;
    return [text`The last one, of ${{ day }}, has another ${{ label }}: ${{ value }}.`];
  });
}

/** Throws where a certificate cannot be issued by this user, in the words of the page. */
export function requireIssuable({ why, owes }: PlannedCertificate, isPrincipal: boolean): void {
  if (why) throw new AppError('conflict', why);
  if (owes.length > 0 && !isPrincipal) throw new AppError('conflict', owedWords(owes));
}
