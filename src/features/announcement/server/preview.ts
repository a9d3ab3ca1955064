import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import type { Language } from '#kit/contract/languages.ts';
import type { Block } from '#kit/contract/rich-text.ts';
import { segmentsOf } from '#kit/contract/segments.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { queueMessage, render, type Template } from '#kit/server/messages/outbox.ts';
import { notFound } from '#kit/server/record/version.ts';
import { containsName } from '#kit/server/search.ts';
import { audit } from '#kit/server/security/audit.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { type announcementApi, announcementMessages } from '../contract/announcement.ts';
import { exampleLink, kindOf, noticeOf } from './message.ts';
import { isAddressed } from './scope.ts';

/** A locked announcement's words for one guardian, by default the first; undefined where it is for none. */
async function readTold({ db, now }: Pick<Context, 'db' | 'now'>, id: number, guardianId: number | null) {
  const { rows } = await sql<{
    priority: string;
    title: string;
    body: Block[];
    school: string;
    phone: string;
    names: string[];
    language: Language | '';
  }>`
    with pair as materialized (select guardian_id, student_id from announcement_pairs(${id}, ${toLocalDate(now())}::date)),
      reader as (select coalesce(${guardianId}::integer, (select min(guardian_id) from pair)) as id)
    select notice.priority, own.title, own.body, school.name as school, school.phone,
      array(select child.first_name from pair join student child on child.id = pair.student_id
        where pair.guardian_id = reader.id order by child.birth_date, child.id) as names,
      coalesce(guardian_language(reader.id), '') as language
    from announcement notice
    join announcement_version own on own.announcement_id = notice.id and own.number = notice.current_version
    cross join academic_school school cross join reader
    where notice.id = ${id}`.execute(db);
  const [told] = rows;
  return told && told.names.length > 0 ? told : undefined;
}

const requireAddressed = (ctx: UserContext, id: number) =>
  ctx.db
    .selectFrom('announcement as notice')
    .where('notice.id', '=', id)
    .where(isAddressed(ctx))
    .select('notice.id')
    .executeTakeFirstOrThrow(notFound);

export const preview: Handler<typeof announcementApi.preview> = async (ctx, { id, guardianId }) => {
  await requireAddressed(ctx, id);
  const told = await readTold(ctx, id, guardianId);
  if (!told) return [];
  const kind = kindOf(told.priority === 'Emergency');
  const rendered = noticeOf({ ...told, ...exampleLink(ctx.publicUrl) }, kind);
  const offered = await ctx.languages.offered(ctx);
  const shown = await Promise.all(
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
  const isOwn = ({ language }: (typeof shown)[number]) => language === told.language;
  return guardianId === null ? shown : shown.toSorted((one, other) => Number(isOwn(other)) - Number(isOwn(one)));
};

/** The guardians of the announcement’s people today. */
export const guardians: Handler<typeof announcementApi.guardians> = async (
  ctx,
  { announcementId, search, limit, chosenId },
) => {
  const { rows } = await sql<{ id: number; name: string; isActive: boolean; detail: string }>`
    select adult.id, adult.name, true as "isActive", string_agg(child.first_name, ', ' order by child.birth_date, child.id) as detail
    from announcement notice
    cross join lateral announcement_pairs(notice.id, ${toLocalDate(ctx.now())}::date) as pair
    join guardian adult on adult.id = pair.guardian_id join student child on child.id = pair.student_id
    where notice.id = ${announcementId} and ${isAddressed(ctx)}
      and (${search === '' ? sql`true` : containsName('adult', search)} or adult.id = ${chosenId})
    group by adult.id, adult.name order by lower(adult.name), adult.id limit ${limit}`.execute(ctx.db);
  return rows;
};

/** Tests of one author within an hour. */
const tests = { kind: 'announcement-test', most: 20, windowSeconds: 3600 };

export const test: Handler<typeof announcementApi.test> = async (ctx, { id, guardianId, language }) => {
  await requireAddressed(ctx, id);
  const wait = await countHit(ctx.db, tests, String(ctx.user.id));
  if (wait > 0) throw new AppError('too_many_tries', text`Too many attempts. Try again later.`, { retryAfter: wait });
  if (!(await readTold(ctx, id, guardianId))) throw new AppError('conflict', announcementMessages.nobody);
  const person = await ctx.db
    .selectFrom('staff')
    .where('id', '=', ctx.user.staffId)
    .select(['email', 'mobile'])
    .executeTakeFirstOrThrow();
  // A registered text can't be marked as a test.
  const sends = person.email ? 'email' : ctx.sendsTexts && !ctx.namesTemplates && person.mobile ? 'sms' : undefined;
  const to = sends === 'email' ? person.email : person.mobile;
  if (!sends || !to) throw new AppError('conflict', text`Your account has no email address. Enter one in My account.`);
  const { id: subjectId } = await ctx.db
    .insertInto('announcement_test')
    .values({
      announcement_id: id,
      guardian_id: guardianId,
      staff_id: ctx.user.staffId,
      language,
      sent_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(ctx, { action: 'announcement.tested', entity: 'announcement', entityId: id, details: { language } });
  await queueMessage(ctx, { channel: sends, template: 'announcement.test', recipient: to, subjectId, isAwaited: true });
  return { to };
};

const findTest = ({ db }: Pick<Context, 'db'>, id: number) =>
  db
    .selectFrom('announcement_test as own')
    .innerJoin('staff', 'staff.id', 'own.staff_id')
    .where('own.id', '=', id)
    .select(['own.announcement_id', 'own.guardian_id', 'staff.email', 'staff.mobile'])
    .select(sql<Language>`own.language`.as('language'))
    .executeTakeFirst();

const isTest = (words: Text): Text => text`TEST: ${{ words }}`;

/** As the family gets it, to its author: marked, and with a link that opens nothing. */
const template: Template = {
  isFor: async (services, { subjectId, recipient }) => {
    const own = await findTest(services, subjectId);
    return own !== undefined && (own.mobile === recipient || own.email?.toLowerCase() === recipient.toLowerCase());
  },
  render: async (services, id) => {
    const own = await findTest(services, id);
    const told = own && (await readTold(services, own.announcement_id, own.guardian_id));
    if (!told) return undefined;
    const kind = kindOf(told.priority === 'Emergency');
    const rendered = noticeOf({ ...told, ...exampleLink(services.publicUrl) }, kind);
    return {
      ...rendered,
      language: own.language,
      subject: isTest(rendered.subject),
      ...(rendered.sms && { sms: isTest(rendered.sms) }),
    };
  },
};

export const testTemplates: Record<string, Template> = { 'announcement.test': template };
