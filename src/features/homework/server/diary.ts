import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import { daysBetween, toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { type Paper, sheet } from '#kit/server/paper/paper.ts';
import { audit } from '#kit/server/security/audit.ts';
import type { diaryApi } from '../contract/diary.ts';
import { homeworkMessages, homeworkReaders, mostDiaryDays } from '../contract/words.ts';
import { isSeen } from './delivery.ts';

interface Line {
  assignedOn: string;
  dueOn: string;
  subject: string;
  title: string;
  instructions: string;
  minutes: number;
  teacher: string;
}

/** The homework that a section got from one day to another, as a paper. */
export const diary: Handler<typeof diaryApi.diary> = async (ctx, { sectionId, from, to }) => {
  if (to < from || daysBetween(from, to) >= mostDiaryDays) throw fieldRefusal('to', homeworkMessages.diaryDays);
  const { rows: sections } = await sql<{ name: string }>`
    select academic_section_name(grade.name, given.name) as name
    from (select id as section_id, branch_id, grade_id, name from academic_section) as given
    join academic_grade grade on grade.id = given.grade_id
    where given.section_id = ${sectionId} and ${isSeen(ctx, homeworkReaders)}`.execute(ctx.db);
  const [section] = sections;
  if (!section) throw new AppError('not_found', notFoundMessage);
  const { rows } = await sql<Line>`
    select given.assigned_on::text as "assignedOn", given.due_on::text as "dueOn", subject.name as subject, content.title,
      content.instructions, content.minutes, owner.name as teacher
    from homework_section given
    join homework content on content.id = given.homework_id
    join configuration_subject subject on subject.id = given.subject_id
    join staff owner on owner.id = content.owner_id
    where given.section_id = ${sectionId} and given.state in ('Published', 'Closed') and given.publish_at <= ${ctx.now()}
      and given.assigned_on between ${from} and ${to}
    order by given.assigned_on, lower(subject.name), given.id`.execute(ctx.db);
  if (rows.length === 0) throw new AppError('conflict', homeworkMessages.noDiary);
  const data: Paper = {
    head: await ctx.readPaperHead(ctx),
    title: text`Homework diary`,
    facts: [
      [text`Section`, section.name],
      [text`From`, showDate(from)],
      [text`To`, showDate(to)],
    ],
    table: {
      heads: [text`Given`, text`Subject`, text`Homework`, text`Minutes`, text`Due`, text`Teacher`],
      rows: rows.map((line, index) => [
        line.assignedOn === rows[index - 1]?.assignedOn ? '' : showDate(line.assignedOn),
        line.subject,
        [line.title, line.instructions].filter(Boolean).join('\n'),
        String(line.minutes),
        showDate(line.dueOn),
        line.teacher,
      ]),
      right: [3],
    },
    made: text`Made on ${{ day: showDate(toLocalDate(ctx.now())) }} by ${{ by: ctx.user.name }}`,
    signatures: [],
  };
  await audit(ctx, {
    action: 'homework.diary-made',
    entity: 'academic_section',
    entityId: sectionId,
    details: { from: showDate(from), to: showDate(to) },
  });
  const bytes = await ctx.makePaper(sheet, data, ctx.caller);
  return { mediaType: 'application/pdf', name: `homework-diary-${from}.pdf`, bytes };
};
