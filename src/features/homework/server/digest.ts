import { sql } from 'kysely';
import { childrenOf, linkOf, shortNames, tellGuardians, waysOf } from '#features/family/api.ts';
import { onDay, type Text, text } from '#kit/contract/text.ts';
import type { Context, Services } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { DailyTask } from '#kit/server/job/daily.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';
import { readSettings } from '#kit/server/settings.ts';
import { digestBySms, digestHour, tellsFamilies } from './settings.ts';

/**
 * Marks the homework whose news is told today: what was published before the digest's moment, even where it is sent later. Each
 * news is in exactly one digest: what is committed a moment later is not seen here, and is in the one of tomorrow.
 */
const markNews = ({ db }: Context, day: string, before: Date) =>
  sql<{ id: number }>`
    update homework_section set digest_on = ${day}
    where digest_on is null and state <> 'Draft' and publish_at < ${before}
      and (counts_until >= ${day}::date or news <> 'New') and (state <> 'Closed' or news <> 'New')
    returning id`.execute(db);

/** The guardians of children with news who receive messages about them. */
const readConcerned = ({ db }: Context, day: string, deliveries: readonly number[]) =>
  sql<{ guardianId: number; studentId: number }>`
    with concerned as materialized (
      select distinct roster.student_id from homework_roster(${[...deliveries]}::integer[]) roster
      where roster.standing in ('Given', 'Joined later'))
    select pair.guardian_id as "guardianId", pair.student_id as "studentId" from family_pairs(${day}) pair
    join concerned using (student_id) where pair.receives_messages
    order by pair.guardian_id, pair.student_id`.execute(db);

const addDigests = ({ db }: Context, day: string, guardianIds: readonly number[]) =>
  sql<{ id: number; guardianId: number }>`
    insert into homework_digest (day, guardian_id)
    select ${day}::date, told.id from unnest(${[...guardianIds]}::integer[]) as told (id) order by told.id
    on conflict do nothing returning id, guardian_id as "guardianId"`.execute(db);

/** Queues the digests of a day, with what was published before a moment. */
export async function sendDigests(ctx: Context, day: string, before: Date): Promise<void> {
  const { isTold, isBySms } = await readSettings(ctx, { isTold: tellsFamilies, isBySms: digestBySms });
  if (!isTold) return;
  const { rows: news } = await markNews(ctx, day, before);
  if (news.length === 0) return;
  const { rows: pairs } = await readConcerned(
    ctx,
    day,
    news.map(({ id }) => id),
  );
  const sending = { kind: 'homework.digest', urgency: 'Digest' } as const;
  const reached = await waysOf(ctx, { ...sending, sends: isBySms ? ['email', 'sms'] : ['email'] }, pairs);
  const ways = new Map(
    [...reached].flatMap(
      ([
        id,
        {
          ways: [way],
        },
      ]) => (way ? [[id, way] as const] : []),
    ),
  );
  const { rows: digests } = await addDigests(ctx, day, [...ways.keys()]);
  await tellGuardians(
    ctx,
    { ...sending, carriesLink: true },
    digests.flatMap(({ id, guardianId }) => {
      const way = ways.get(guardianId);
      return way ? [{ way, subjectId: id, key: `homework.digest ${id}` }] : [];
    }),
  );
}

export const dailyDigest: DailyTask = {
  name: 'homework.digest',
  from: digestHour,
  until: 24,
  act: (ctx, dueAt) => sendDigests(ctx, toLocalDate(ctx.now()), dueAt),
};

interface Item {
  studentId: number;
  news: 'New' | 'Changed' | 'Cancelled';
  subject: string;
  title: string;
  dueOn: string;
}

interface Words {
  school: string;
  /** YYYY-MM-DD. */
  day: string;
  children: string | Text;
  items: readonly Text[];
  link: string;
  shortLink: string;
}

const words = ({ school, day, children, items, link, shortLink }: Words): Rendered => ({
  page: link,
  subject: text`Homework of ${{ date: onDay(day) }} for ${{ children }}`,
  paragraphs: [
    text`Dear parent, homework from ${{ school }}:`,
    ...items,
    text`All homework, including pending work: ${{ link }}`,
  ],
  sms: text`Dear parent, new homework for ${{ children }}: ${{ shortLink }} ${{ school }}`,
});

function line(child: string, { news, subject, title, dueOn }: Item): Text {
  const facts = { child, subject, title, day: onDay(dueOn) };
  if (news === 'Cancelled')
    return text`${{ child: facts.child }} · ${{ subject: facts.subject }}: cancelled: ${{ title: facts.title }}`;
  if (news === 'Changed')
    return text`${{ child: facts.child }} · ${{ subject: facts.subject }}: ${{ title: facts.title }} is now due on ${{ day: facts.day }}`;
  return text`${{ child: facts.child }} · ${{ subject: facts.subject }}: ${{ title: facts.title }}, due on ${{ day: facts.day }}`;
}

/** What the digest of a day tells of children now; news that changed since is in a later one. */
async function readNews({ db }: Services, day: string, studentIds: readonly number[]): Promise<Item[]> {
  const { rows } = await sql<Item>`
    select roster.student_id as "studentId", given.news, subject.name as subject, content.title,
      greatest(given.counts_until, extension.counts_until)::text as "dueOn"
    from homework_roster(array(select id from homework_section where digest_on = ${day})) roster
    join homework_section given on given.id = roster.homework_section_id
    join homework content on content.id = given.homework_id
    join configuration_subject subject on subject.id = given.subject_id
    left join homework_extension extension on extension.homework_section_id = given.id
      and extension.student_id = roster.student_id
    where roster.student_id = any(${[...studentIds]}::integer[]) and roster.standing in ('Given', 'Joined later')
      and (given.state <> 'Cancelled' or given.news = 'Cancelled')
    order by lower(subject.name), given.id`.execute(db);
  return rows;
}

const findDigest = ({ db }: Services, id: number) =>
  db
    .selectFrom('homework_digest as digest')
    .innerJoin('guardian', 'guardian.id', 'digest.guardian_id')
    .where('digest.id', '=', id)
    .select(['digest.day', 'digest.guardian_id as guardianId', 'guardian.email', 'guardian.mobile'])
    .executeTakeFirst();

const template: Template = {
  isFor: async (services, { subjectId, recipient, version }) => {
    const found = await findDigest(services, subjectId);
    if (!found) return false;
    const isContact = found.mobile === recipient || found.email.toLowerCase() === recipient.toLowerCase();
    return isContact && (await linkOf(services, { guardianId: found.guardianId, version })) !== undefined;
  },
  render: async (services, id, version) => {
    const found = await findDigest(services, id);
    if (!found) return undefined;
    const { guardianId, day } = found;
    const [link, all, school] = await Promise.all([
      linkOf(services, { guardianId, version }),
      childrenOf(services, guardianId, toLocalDate(services.now())),
      services.db.selectFrom('academic_school').select('name').executeTakeFirst(),
    ]);
    const children = all.filter(({ receivesMessages }) => receivesMessages);
    const items = await readNews(
      services,
      day,
      children.map(({ studentId }) => studentId),
    );
    const told = children.filter(({ studentId }) => items.some((item) => item.studentId === studentId));
    if (!link || !school || told.length === 0) return undefined;
    return words({
      school: school.name,
      day,
      children: shortNames(told.map(({ name }) => name)),
      items: told.flatMap(({ studentId, name }) =>
        items.filter((item) => item.studentId === studentId).map((item) => line(name, item)),
      ),
      ...link,
    });
  },
};

export const digestMessages: Record<string, Template> = { 'homework.digest': template };

export const digestTexts: Record<string, TextMessage> = {
  'homework.digest': {
    when: text`Once a day, when a guardian’s children have new homework.`,
    example: ({ name }, publicUrl) =>
      words({
        school: name,
        day: '2027-09-24',
        children: shortNames(['Aarohi', 'Dev']),
        items: [],
        link: `${publicUrl}/family?family=${'0'.repeat(32)}`,
        shortLink: `${publicUrl}/a/Ab3dE6gH9k`,
      }),
  },
};
