import { sql } from 'kysely';
import { english, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { contains, readPage } from '#kit/server/list/pagination.ts';
import { tableFile } from '#kit/server/list/table-file.ts';
import { notFound } from '#kit/server/record/version.ts';
import { wordsOf } from '#kit/server/search.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import { type Receipt, receiptApi, type receiptFilters } from '../contract/receipt.ts';
import { recipientsOf } from './figures.ts';
import { isWritten } from './scope.ts';

type Show = '' | (typeof receiptFilters)[number];

const conditions = {
  all: sql<boolean>`true`,
  unread: sql<boolean>`receipt.seen_at is null`,
  read: sql<boolean>`receipt.seen_at is not null`,
  unacknowledged: sql<boolean>`receipt.acknowledged_at is null`,
  acknowledged: sql<boolean>`receipt.acknowledged_at is not null`,
  failed: sql<boolean>`receipt.delivery in ('Failed', 'Not sent')`,
};

interface Row {
  id: number;
  kind: Receipt['kind'];
  name: string;
  children: string[] | null;
  delivery: Receipt['delivery'];
  channel: string;
  seenAt: Date | null;
  acknowledgedAt: Date | null;
  isLater: boolean;
}

/** The recipients of an announcement that the user keeps or wrote, with what became of the latest message to each. */
async function receiptsOf(ctx: UserContext, id: number, show: Show, text: string) {
  const { db } = ctx;
  await db
    .selectFrom('announcement as notice')
    .where('notice.id', '=', id)
    .where(isWritten(ctx))
    .select('notice.id')
    .executeTakeFirstOrThrow(notFound);
  const rows = sql<{
    id: number;
    kind: string;
    name: string;
    children: string[] | null;
    channel: string;
    delivery: string;
    seen_at: Date | null;
    acknowledged_at: Date | null;
    joined_later: boolean;
  }>`(
    select reader.id, case when reader.guardian_id is null then 'Staff' else 'Guardian' end as kind,
      coalesce(adult.name, person.name) as name, reader.seen_at, reader.acknowledged_at, reader.joined_later,
      (select array_agg(child.first_name || coalesce(' ' || academic_section_name(grade.name, section.name), '') order by child.first_name)
        from announcement_recipient_child own
        join student child on child.id = own.student_id
        left join student_on((notice.publish_at at time zone 'Asia/Kolkata')::date) place on place.student_id = child.id
        left join academic_section section on section.id = place.section_id
        left join academic_grade grade on grade.id = section.grade_id
        where own.recipient_id = reader.id) as children,
      coalesce(reader.message[1], '') as channel,
      case when reader.message is not null then case reader.message[2] when 'queued' then 'Waiting' when 'sent' then 'Sent'
          when 'delivered' then 'Delivered' when 'failed' then 'Failed' else 'Not sent' end
        when reader.guardian_id is not null and reader.skipped in ('Skipped', 'Failed') then 'Not sent'
        when reader.guardian_id is not null and reader.skipped = 'Waiting' then 'Waiting'
        else 'None' end as delivery
    -- Messages are read as values of a row, so that a page reads those of its own rows alone.
    from (select own.*,
        (select array[told.channel, case when sent.delivery in ('Delivered', 'Read') then 'delivered'
            when sent.delivery = 'Failed' then 'failed' else coalesce(sent.status, 'expired') end]
          from announcement_delivery told left join outbox sent on sent.dedupe_key = 'announcement ' || told.id
          where told.announcement_id = own.announcement_id and told.guardian_id = own.guardian_id
          order by told.round desc, told.channel limit 1) as message,
        (select row_of.status from announcement_round round
          join run_row row_of on row_of.run_id = round.run_id and row_of.subject_id = own.guardian_id
          where round.announcement_id = own.announcement_id order by round.number desc limit 1) as skipped
      from (${recipientsOf(id, Number(text) || undefined)}) as own) as reader
    join announcement notice on notice.id = reader.announcement_id
    left join guardian adult on adult.id = reader.guardian_id
    left join staff person on person.id = reader.staff_id)`;
  return db
    .selectFrom(rows.as('receipt'))
    .where(conditions[show || 'all'])
    .select(['receipt.id', 'receipt.name', 'receipt.children', 'receipt.channel'])
    .select([
      'receipt.seen_at as seenAt',
      'receipt.acknowledged_at as acknowledgedAt',
      'receipt.joined_later as isLater',
    ])
    .select([sql<Receipt['kind']>`receipt.kind`.as('kind'), sql<Receipt['delivery']>`receipt.delivery`.as('delivery')]);
}

const shown = ({ children, seenAt, acknowledgedAt, ...row }: Row): Receipt => ({
  ...row,
  children: children ?? [],
  seenAt: seenAt?.toISOString() ?? '',
  acknowledgedAt: acknowledgedAt?.toISOString() ?? '',
});

const list: Handler<typeof receiptApi.list> = async (ctx, { id, show, text: number, search, after }) => {
  const all = await receiptsOf(ctx, id, show, number);
  const found = wordsOf(search).reduce(
    (some, word) =>
      some.where(
        sql<boolean>`concat_ws(' ', receipt.name, array_to_string(receipt.children, ' ')) ilike ${contains(word)}`,
      ),
    all,
  );
  const { rows, ...page } = await readPage(
    ctx.db,
    found,
    { by: sql`lower(receipt.name)`, as: 'text', id: 'receipt.id' },
    { after },
  );
  return { ...page, rows: rows.map(({ placed: _, ...row }) => shown(row)) };
};

const exported: Handler<typeof receiptApi.export> = async (ctx, { id, show, text: number, as }) => {
  const rows = await (await receiptsOf(ctx, id, show, number))
    .orderBy(sql`lower(receipt.name)`)
    .orderBy('receipt.id')
    .execute();
  const table = {
    name: 'receipts',
    title: text`Receipts`,
    heads: [
      text`Name`,
      text`Recipient`,
      text`Children`,
      text`Channel`,
      text`Message`,
      text`Read at`,
      text`Acknowledged at`,
    ],
    rows: rows.map((row) => {
      const { name, kind, children, channel, delivery, seenAt, acknowledgedAt } = shown(row);
      return [name, kind, children.join('; '), channel, delivery, seenAt, acknowledgedAt];
    }),
  };
  const details = {
    rows: rows.length,
    as,
    show: show || 'all',
    ...(number && { text: number }),
    columns: table.heads.map((head) => english(head)).join(', '),
  };
  const act = { action: 'announcement.exported', entity: 'announcement', entityId: id, details, names: rows.length };
  return takeNames(ctx, act, () => tableFile(ctx, table, as));
};

export const receiptRoutes = routes(receiptApi, { list, export: exported });
