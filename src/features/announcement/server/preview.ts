import { sql } from 'kysely';
import type { Block } from '#kit/contract/rich-text.ts';
import { segmentsOf } from '#kit/contract/segments.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { render } from '#kit/server/messages/outbox.ts';
import { notFound } from '#kit/server/record/version.ts';
import type { announcementApi } from '../contract/announcement.ts';
import { exampleLink, kindOf, noticeOf } from './message.ts';
import { isWritten } from './scope.ts';

/** The messages as the family of the first recipient gets them, in each language that the school offers. */
export const preview: Handler<typeof announcementApi.preview> = async (ctx, { id }) => {
  const today = toLocalDate(ctx.now());
  await ctx.db
    .selectFrom('announcement as notice')
    .where('notice.id', '=', id)
    .where(isWritten(ctx))
    .select('notice.id')
    .executeTakeFirstOrThrow(notFound);
  const { rows } = await sql<{
    priority: string;
    title: string;
    body: Block[];
    school: string;
    phone: string;
    names: string[];
  }>`
    with pair as materialized (select guardian_id, student_id from announcement_pairs(${id}, ${today}::date))
    select notice.priority, own.title, own.body, school.name as school, school.phone,
      array(select child.first_name from pair join student child on child.id = pair.student_id
        where pair.guardian_id = (select min(guardian_id) from pair) order by child.birth_date, child.id) as names
    from announcement notice
    join announcement_version own on own.announcement_id = notice.id and own.number = notice.current_version
    cross join academic_school school
    where notice.id = ${id}`.execute(ctx.db);
  const [told] = rows;
  if (!told || told.names.length === 0) return [];
  const kind = kindOf(told.priority === 'Emergency');
  const rendered = noticeOf({ ...told, ...exampleLink(ctx.publicUrl) }, kind);
  const offered = await ctx.languages.offered(ctx);
  return Promise.all(
    offered.map(async (language) => {
      const template = { render: async () => ({ ...rendered, language }), isFor: 'as queued' } as const;
      const [email, sms] = [
        await render(ctx, template, id),
        await render(ctx, template, id, 'sms', null, { kind, readerId: null }),
      ];
      const words = sms?.text ?? '';
      return {
        language,
        subject: email?.subject ?? '',
        email: email?.text ?? '',
        sms: words,
        parts: segmentsOf(words),
        isSmsEnglish: sms?.language !== language,
      };
    }),
  );
};
