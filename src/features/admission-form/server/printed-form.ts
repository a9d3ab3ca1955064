import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { localTimeZone, toLocalDate } from '#kit/server/day.ts';
import { type Paper, sheet } from '#kit/server/paper/paper.ts';
import { notApplicable } from './inquiry.ts';
import { careersOf, type FrozenForm, filesOf, type PrintedFacts, printedAnswers } from './printed-answers.ts';
import { readSubmission } from './read-form.ts';

/** The last submission of a form as a PDF, also while a correction is open. Throws `not_found` without one. */
export async function printForm(ctx: Context, inquiryId: number, made: Text) {
  const { number, ...paper } = await paperOf(ctx, inquiryId);
  return {
    mediaType: 'application/pdf',
    name: `admission-form-${number.replaceAll(/[^\w-]+/g, '-')}.pdf`,
    bytes: await ctx.makePaper(sheet, { ...paper, head: await ctx.readPaperHead(ctx), made }, ctx.caller),
  };
}

async function paperOf(ctx: Context, id: number): Promise<Omit<Paper, 'head' | 'made'> & { number: string }> {
  const row = await ctx.db
    .selectFrom('admission_inquiry as inquiry')
    .innerJoin('academic_grade as grade', 'grade.id', 'inquiry.grade_id')
    .innerJoin('academic_year as year', 'year.id', 'inquiry.academic_year_id')
    .where('inquiry.id', '=', id)
    .select(['inquiry_no', 'received_at', 'inquiry.status', 'father_waived_reason', 'mother_waived_reason'])
    .select(['grade.name as grade', 'year.name as year'])
    .executeTakeFirst();
  const form = (await readSubmission(ctx, id)) as FrozenForm | undefined;
  if (!row?.received_at || !form) throw new AppError('not_found', notFoundMessage);
  const known = { waived: notApplicable(row), ...(await readNames(ctx, id, form)) };
  return {
    number: row.inquiry_no,
    title: text`Admission form`,
    facts: [
      [text`Inquiry number`, row.inquiry_no],
      [text`Submitted on`, showLocalMoment(row.received_at)],
      [text`Status`, row.status],
      [text`Academic year`, row.year],
      [text`Grade`, row.grade],
    ],
    sections: printedAnswers(form, known),
    foot: verbatim(row.inquiry_no),
    signatures: [],
  };
}

async function readNames({ db }: Context, id: number, form: FrozenForm): Promise<Omit<PrintedFacts, 'waived'>> {
  const files = await db
    .selectFrom('file')
    .where('owner', '=', 'admission_inquiry')
    .where('owner_id', '=', id)
    .where('id', '=', sql<string>`any(${filesOf(form)}::uuid[])`)
    .select(['id', 'name'])
    .execute();
  const careers = await db
    .selectFrom('academic_career')
    .where('id', '=', sql<number>`any(${careersOf(form)}::integer[])`)
    .select(['id', 'name'])
    .execute();
  return {
    files: new Map(files.map((file) => [file.id, file.name])),
    careers: new Map(careers.map((career) => [career.id, career.name])),
  };
}

/** A moment by the school's clock, as the pages show it: "21 Nov 2026, 10:42". */
function showLocalMoment(moment: Date): string {
  const time = moment.toLocaleTimeString('en-GB', { timeZone: localTimeZone, hour: '2-digit', minute: '2-digit' });
  return `${showDate(toLocalDate(moment))}, ${time}`;
}
