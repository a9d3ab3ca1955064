import { sql } from 'kysely';
import { nextWorkingDays } from '#features/calendar/api.ts';
import { familyPart } from '#features/family/api.ts';
import { text } from '#kit/contract/text.ts';
import { addDays } from '#kit/server/day.ts';
import { familyHomework } from '../contract/family.ts';
import { listOfChildren } from './child-homework.ts';

/** How long homework stays on the page after its due day, and how far ahead it is shown. */
const [behind, ahead] = [14, 60];

/** What a guardian reads of the homework of the children: what is due, and what became of that of the last weeks. */
export const homeworkPart = familyPart({
  key: 'homework',
  output: familyHomework,
  read: async (ctx, { day, children }) => {
    const ids = children.map(({ studentId }) => studentId);
    const items = await listOfChildren(ctx, ids, { from: addDays(day, -behind), to: addDays(day, ahead) });
    const { rows: more } = await sql<{
      id: number;
      instructions: string;
      links: string[];
      files: { id: string; name: string }[];
    }>`
      select given.id, content.instructions,
        array(select address from homework_link where homework_id = content.id order by position) as links,
        coalesce((select json_agg(json_build_object('id', file.id, 'name', file.name) order by file.stored_at, file.id)
          from homework_file own join file on file.id = own.file_id where own.homework_id = content.id), '[]') as files
      from homework_section given join homework content on content.id = given.homework_id
      where given.id = any(${items.map(({ deliveryId }) => deliveryId)}::integer[])`.execute(ctx.db);
    const next = await nextWorkingDays(
      ctx,
      addDays(day, 1),
      children.map(({ gradeId }) => gradeId),
    );
    const nextOf = new Map(children.map(({ studentId, gradeId }) => [studentId, next.get(gradeId) ?? '']));
    const detailsOf = new Map(more.map(({ id, ...details }) => [id, details]));
    return items.map(({ showsFeedback, marks, feedback, maxMarks, deliveryId, ...item }) => ({
      ...item,
      id: deliveryId,
      isNext: item.dueOn > day && item.dueOn <= (nextOf.get(item.studentId) ?? ''),
      instructions: '',
      links: [],
      files: [],
      ...detailsOf.get(deliveryId),
      marks: showsFeedback ? marks : null,
      maxMarks: showsFeedback ? maxMarks : null,
      feedback: showsFeedback ? feedback : '',
    }));
  },
  dates: async (ctx, { children }, span) => {
    const items = await listOfChildren(
      ctx,
      children.map(({ studentId }) => studentId),
      span,
    );
    return items.map(({ studentId, deliveryId, subject, title, dueOn }) => ({
      key: `homework-${deliveryId}-${studentId}`,
      of: [studentId],
      words: text`${{ subject }} due`,
      details: title,
      when: { from: dueOn, to: dueOn },
    }));
  },
});
