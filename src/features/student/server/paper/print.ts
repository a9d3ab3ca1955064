import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import type { Access } from '#kit/contract/endpoint.ts';
import { AppError } from '#kit/contract/errors.ts';
import { initialsOf } from '#kit/contract/initials.ts';
import type { Selection } from '#kit/contract/list-view.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { type CardSheet, cardSheet, openTemplate, type PaperData } from '#kit/server/paper/paper.ts';
import { readPortraits } from '#kit/server/paper/portraits.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import { manyApi, mostIdCards, mostListed, printers } from '../../contract/many.ts';
import { personalFields } from '../../contract/record.ts';
import { type At, asOn, atOf } from '../enrolment/place.ts';
import { studentsSelected } from '../list.ts';
import { standingAt, studentsSeen } from '../visible.ts';

/** The students whom the user may print, with what cards and class lists show of them. */
const printed = (ctx: UserContext, access: Access, at: At) =>
  studentsSeen(ctx, access, at)
    .leftJoin('academic_grade as grade', 'grade.id', 'shown.grade_id')
    .leftJoin('academic_section as section', 'section.id', 'shown.section_id')
    .select(['student.id', 'student.name', 'student.gr_no', 'student.photo_id', 'student.birth_date'])
    .select(['student.blood_group', 'shown.section_id', 'shown.roll_no', 'shown.name as section'])
    .select(standingAt(at).status.as('status'));

export const printCards: Handler<typeof manyApi.printCards> = async (ctx, selection: Selection) => {
  const ids = await studentsSelected(ctx, selection);
  const at = await atOf(ctx, Number(selection.query.yearId ?? 0));
  const selected = await printed(ctx, printers, at)
    .where('student.id', '=', sql<number>`any(${ids}::integer[])`)
    .select(
      sql<string | null>`(select concat_ws(', ', name, nullif(mobile, '')) from student_contact
        where student_id = student.id)`.as('contact'),
    )
    .orderBy('grade.position')
    .orderBy(sql`lower(section.name)`)
    .orderBy('shown.roll_no')
    .orderBy('student.sort_name')
    .orderBy('student.id')
    .execute();
  const holders = selected.filter(({ status }) => status !== 'Left');
  const [first] = holders;
  if (!first) throw new AppError('conflict', text`ID cards are for present students. Select some who have not left.`);
  if (holders.length > mostIdCards)
    throw new AppError(
      'conflict',
      text`Print at most ${{ most: mostIdCards }} ID cards at once. Select fewer students.`,
    );
  const act = {
    action: 'student.id-cards-printed',
    entity: 'student',
    entityId: holders.length === 1 ? first.id : 0,
    details: { rows: holders.length },
    names: holders.length,
  };
  return takeNames(ctx, act, async () => {
    const head = await ctx.readPaperHead(ctx);
    const portraits = await readPortraits(
      ctx,
      holders.flatMap(({ photo_id }) => photo_id ?? []),
    );
    const data: CardSheet = {
      head,
      title: text`Student identity card`,
      cards: holders.map((holder) => ({
        name: holder.name,
        picture: portraits.get(holder.photo_id ?? ''),
        facts: withValues([
          [text`GR number`, holder.gr_no],
          [text`Section`, holder.section],
          [personalFields.birthDate.label, showDate(holder.birth_date)],
          [personalFields.bloodGroup.label, holder.blood_group],
          [text`Call`, holder.contact],
        ]),
      })),
      ...(head.phone && { foot: text`If found, call the school: ${{ phone: head.phone }}` }),
      notes: [madeBy(ctx)],
    };
    const bytes = await ctx.makePaper(cardSheet, data, ctx.caller);
    return { mediaType: 'application/pdf', name: 'student-id-cards.pdf', bytes };
  });
};

const withValues = (facts: readonly (readonly [Text, string | null | undefined])[]) =>
  facts.flatMap(([name, value]) => (value ? [[name, value] as const] : []));

const madeBy = (ctx: UserContext) =>
  text`Printed on ${{ day: showDate(toLocalDate(ctx.now())) }} by ${{ by: ctx.user.name }}`;

/** Lists of A4, a section a page: its teacher, the photos, and boxes to tick. */
interface ClassLists extends PaperData {
  sections: {
    facts: (readonly [name: Text, value: string])[];
    pupils: { name: string; about: string; picture?: Uint8Array }[];
  }[];
  foot: Text;
}
const classList = openTemplate<ClassLists>(new URL('./class-list.typ', import.meta.url), (data) => ({
  ...data,
  sections: data.sections.map(({ facts, pupils }) => ({
    facts,
    pupils: pupils.map((pupil) => ({ ...pupil, initials: initialsOf(pupil.name) })),
  })),
}));

export const printClassList: Handler<typeof manyApi.printClassList> = async (
  ctx,
  { sectionId, gradeId, yearId, on },
) => {
  const at = await atOf(ctx, yearId, on);
  const { day, year } = at;
  const ownSections = [...ctx.user.scope.led];
  if (sectionId === null && gradeId === null && ownSections.length === 0)
    throw new AppError('conflict', text`Choose a section or a grade.`);
  const pupils = await printed(ctx, manyApi.printClassList.access, at)
    .where('shown.section_id', 'is not', null)
    .where(sql<boolean>`student.id in (select there.student_id from student_on(${day}) there
      where ${sectionId === null ? sql`true` : sql`there.section_id = ${sectionId}`}
        and ${gradeId === null ? sql`true` : sql`there.grade_id = ${gradeId}`}
        and ${sectionId === null && gradeId === null ? sql`there.section_id = any(${ownSections}::integer[])` : sql`true`})`)
    .select(
      sql<string | null>`(select name from staff where id = academic_class_teacher(shown.section_id, ${day}))`.as(
        'teacher',
      ),
    )
    .orderBy('grade.position')
    .orderBy(sql`lower(section.name)`)
    .orderBy('shown.section_id')
    .orderBy('shown.roll_no')
    .orderBy('student.sort_name')
    .orderBy('student.id')
    .limit(mostListed + 1)
    .execute();
  if (pupils.length === 0) throw new AppError('conflict', text`No students sit there on ${{ day: showDate(day) }}.`);
  if (pupils.length > mostListed)
    throw new AppError('conflict', text`Print at most ${{ most: mostListed }} students at once. Choose a section.`);
  const act = {
    action: 'student.class-list-printed',
    entity: 'student',
    entityId: 0,
    details: { rows: pupils.length },
    names: pupils.length,
  };
  return takeNames(ctx, act, async () => {
    const portraits = await readPortraits(
      ctx,
      pupils.flatMap(({ photo_id }) => photo_id ?? []),
    );
    const data: ClassLists = {
      head: await ctx.readPaperHead(ctx),
      title: text`Class list`,
      sections: [...Map.groupBy(pupils, ({ section_id }) => section_id).values()].map((own) => ({
        facts: withValues([
          [text`Section`, own[0]?.section],
          [text`Class teacher`, own[0]?.teacher],
          [text`Students`, String(own.length)],
          [text`Academic year`, year],
          [text`As on`, showDate(day)],
        ]),
        pupils: own.map(({ name, gr_no, roll_no, photo_id }) => ({
          name,
          about: [roll_no, gr_no].filter((part) => part !== null).join(' · '),
          picture: portraits.get(photo_id ?? ''),
        })),
      })),
      foot: madeBy(ctx),
    };
    const bytes = await ctx.makePaper(classList, data, ctx.caller);
    return {
      mediaType: 'application/pdf',
      name: `class-list-${year ? asOn(year, day).name : `as-on-${day}`}.pdf`,
      bytes,
    };
  });
};
