import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { mostNext } from '#kit/contract/served-card.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { ServedCard } from '#kit/server/context.ts';
import { localTimeZone, toLocalDate } from '#kit/server/day.ts';
import { touchesPeriod } from '#kit/server/period.ts';
import { open } from '#kit/server/security/sealed.ts';
import type { CertificateWord } from '../../contract/certificate.ts';
import { certificateTitles } from '../../contract/certificate-titles.ts';
import { type HealthAnswers, healthFields } from '../../contract/health.ts';
import { healthQuestions } from '../../contract/health-questions.ts';
import { healthAnswersCard, ownCards } from '../../contract/own-cards.ts';
import { healthPlace } from '../person/health.ts';
import { isRequiredDocument, lacksDocument } from '../person/lacks.ts';
import { hasLeft } from '../visible.ts';

type Read = NonNullable<ServedCard['read']>;
const mostRows = 10;
const dayOf = (day: string | null) => verbatim(day ? showDate(day) : '');
const recordOf = (id: number, part: string) => `/school-erp/student/student-list/${id}?part=${part}`;

/** The adults of a child: whom to call, and who may collect the child. */
const family: Read = async ({ db }, id) => {
  const { rows } = await sql<{ name: string; relation: string; mobile: string; collects: boolean; isBarred: boolean }>`
    select adult.name, relation.name as relation, adult.mobile, link.may_collect as collects, link.is_barred as "isBarred"
    from student_guardian link join guardian adult on adult.id = link.guardian_id
    join academic_lookup relation on relation.id = link.relation_id
    where link.student_id = ${id} and not adult.is_deceased
    order by link.is_primary desc, link.contact_order, link.id limit ${mostRows}`.execute(db);
  const mayCollect = (row: (typeof rows)[number]): Text =>
    row.isBarred ? text`No contact allowed` : row.collects ? text`Yes` : text`No`;
  return {
    asOf: '',
    facts: [],
    table:
      rows.length === 0
        ? null
        : {
            heads: [text`Name`, text`Relation`, text`Mobile number`, text`May collect`],
            rows: rows.map((row) => [
              verbatim(row.name),
              verbatim(row.relation),
              verbatim(row.mobile),
              mayCollect(row),
            ]),
          },
    ...(rows.length > 0 && {
      people: rows.map(({ name, relation, mobile, collects, isBarred }) => ({
        name,
        relation,
        mobile: isBarred ? '' : mobile,
        detail: isBarred ? text`No contact allowed` : collects ? text`May collect` : verbatim(''),
      })),
    }),
    to: recordOf(id, 'now'),
    empty: text`No adults are recorded. The office adds them on the record.`,
  };
};

/** The enrolments of a child that touch the period, with the sections. */
const enrollment: Read = async ({ db }, id, period) => {
  const { rows } = await sql<{
    year: string;
    place: string;
    rollNo: number | null;
    first: string;
    last: string | null;
    status: string;
  }>`
    select year.name as year, coalesce(academic_section_name(grade.name, section.name), grade.name) as place,
      own.roll_no as "rollNo", coalesce(own.effective_from, enrollment.joined_on)::text as first,
      coalesce(own.effective_to, enrollment.left_on)::text as last, enrollment.status
    from student_enrollment enrollment
    join academic_year year on year.id = enrollment.academic_year_id
    join academic_grade grade on grade.id = enrollment.grade_id
    left join student_section own on own.enrollment_id = enrollment.id
    left join academic_section section on section.id = own.section_id
    where enrollment.student_id = ${id} and enrollment.status <> 'Cancelled'
      and ${touchesPeriod(
        sql`coalesce(own.effective_from, enrollment.joined_on)`,
        sql`coalesce(own.effective_to, enrollment.left_on, year.ends_on)`,
        period,
      )}
    order by first desc, own.id desc limit ${mostRows}`.execute(db);
  return {
    asOf: '',
    facts: [],
    table:
      rows.length === 0
        ? null
        : {
            heads: [text`Year`, text`Section`, text`Roll`, text`From`, text`Until`],
            rows: rows.map(({ year, place, rollNo, first, last }) => [
              verbatim(year),
              verbatim(place),
              verbatim(rollNo === null ? '' : String(rollNo)),
              dayOf(first),
              dayOf(last),
            ]),
          },
    to: recordOf(id, 'school'),
    empty: text`Not enrolled in these days.`,
  };
};

/** What of the papers is missing, waits, or ends soon. */
const documents: Read = async ({ db, now }, id) => {
  const today = toLocalDate(now());
  const { rows } = await sql<{ type: string; state: string; day: string | null }>`
    select type.name as type, 'Missing' as state, null::text as day from academic_lookup type
    where ${isRequiredDocument} and ${lacksDocument(sql`${id}::integer`)}
    union all
    select type.name, case when own.status <> 'Verified' then own.status
      when own.expires_on < ${today}::date then 'Expired' else own.status end, own.expires_on::text
    from student_document own join academic_lookup type on type.id = own.document_id where own.student_id = ${id}
    order by state, type limit ${mostRows}`.execute(db);
  const states: Record<string, Text> = {
    Missing: text`Missing`,
    Expired: text`Expired`,
    Waiting: text`Waiting`,
    Verified: text`Verified`,
    Rejected: text`Rejected`,
  };
  return {
    asOf: '',
    facts: [],
    table:
      rows.length === 0
        ? null
        : {
            heads: [text`Document`, text`Status`, text`Expires on`],
            rows: rows.map(({ type, state, day }) => [verbatim(type), states[state] ?? verbatim(state), dayOf(day)]),
          },
    to: recordOf(id, 'papers'),
    empty: text`No documents yet.`,
  };
};

/** Documents that the family sent and nobody has looked at yet, and those of a child of the school that only expired. */
const documentsNext: NonNullable<ServedCard['next']> = async ({ db, now }, id) => {
  const today = toLocalDate(now());
  const { rows } = await sql<{ type: string; sentOn: string; expiresOn: string | null; waits: boolean }>`
    select type.name as type, (file.stored_at at time zone ${localTimeZone})::date::text as "sentOn", own.expires_on::text as "expiresOn",
      own.status = 'Waiting' as waits
    from student_document own join academic_lookup type on type.id = own.document_id join file on file.id = own.file_id
    join student on student.id = own.student_id
    where own.student_id = ${id} and (own.status = 'Waiting' or (own.status = 'Verified' and own.expires_on < ${today}::date
      and not ${hasLeft(today)}
      and not exists (select from student_document other where other.student_id = own.student_id
        and other.document_id = own.document_id and other.status = 'Verified'
        and coalesce(other.expires_on >= ${today}::date, true))))
    order by own.status = 'Waiting' desc, file.stored_at, own.id limit ${mostNext}`.execute(db);
  return rows.map(({ type, sentOn, expiresOn, waits }) => ({
    title: verbatim(type),
    about: waits ? text`to verify` : text`expired`,
    detail: waits
      ? text`Received on ${{ day: showDate(sentOn) }}`
      : text`Expired on ${{ day: showDate(expiresOn ?? today) }}. Ask for a new one.`,
    isLate: !waits,
    to: recordOf(id, 'papers'),
  }));
};

/** Certificates that are issued and still in the office. */
const certificatesNext: NonNullable<ServedCard['next']> = async ({ db }, id) => {
  const rows = await db
    .selectFrom('student_certificate')
    .where('student_id', '=', id)
    .where('handed_out_on', 'is', null)
    .where('voided_at', 'is', null)
    .select(['number', 'kind', 'issued_on as day'])
    .orderBy('issued_on')
    .orderBy('id')
    .limit(mostNext)
    .execute();
  return rows.map(({ number, kind, day }) => ({
    title: certificateTitles[kind as CertificateWord],
    about: text`to hand out`,
    detail: text`${{ number }}, issued on ${{ day: showDate(day) }}`,
    isLate: false,
    to: recordOf(id, 'papers'),
  }));
};

const mostShown = 6;

/** What the family and the nurse answered Yes, with the text. */
const health: Read = async (ctx, id) => {
  const found = await ctx.db
    .selectFrom('student_health')
    .where('student_id', '=', id)
    .select('answers')
    .executeTakeFirst();
  const empty = text`Nothing is recorded about health. The office or the nurse records it.`;
  if (!found) return { asOf: '', facts: [], table: null, to: '', empty };
  const answers: Partial<HealthAnswers> = JSON.parse(open(ctx.keys.data, healthPlace(id), found.answers).toString());
  const said = healthQuestions
    .filter(({ name }) => answers[name] === true)
    .map(({ name, opens }) => ({
      label: healthFields[name].label,
      value: verbatim(opens.map((box) => answers[box.name] ?? '').join('; ')),
    }));
  const rows = said.map(({ label, value }) => [label, value]);
  const isLong = said.length > mostShown;
  return {
    asOf: '',
    facts: isLong
      ? []
      : said.length > 0
        ? said
        : [{ label: text`Health questions`, value: text`All ${{ count: healthQuestions.length }} answered No` }],
    table: isLong ? { heads: [text`Question`, text`Answer`], rows: rows.slice(0, 12) } : null,
    to: '',
    empty,
  };
};

const reads: Partial<Record<string, Read>> = { family, enrollment, document: documents };
const nexts: Partial<Record<string, ServedCard['next']>> = { document: documentsNext, certificate: certificatesNext };

/** The cards of this feature; those with `read` stand in the report too. */
export const studentCards: ServedCard[] = [
  ...ownCards.map((card): ServedCard => {
    const read = reads[card.key];
    const next = nexts[card.key];
    return { card, ...(read && { read }), ...(next && { next }) };
  }),
  { card: healthAnswersCard, read: health },
];
