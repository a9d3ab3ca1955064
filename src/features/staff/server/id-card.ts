import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { type CardSheet, cardSheet } from '#kit/server/paper/paper.ts';
import { readPortraits } from '#kit/server/paper/portraits.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import { mostIdCards, staffIdCardApi } from '../contract/id-card.ts';
import { personFields, postFields } from '../contract/record.ts';
import { staffOf, staffSelected } from './list.ts';

const print: Handler<typeof staffIdCardApi.print> = async (ctx, selection) => {
  const selected = await readHolders(ctx, await staffSelected(ctx, selection));
  const holders = selected.filter(({ status }) => status !== 'Left');
  const [first] = holders;
  if (!first) throw new AppError('conflict', text`ID cards are for present staff. Select people who have not left.`);
  if (holders.length > mostIdCards)
    throw new AppError('conflict', text`Print at most ${{ most: mostIdCards }} ID cards at once. Select fewer people.`);
  const act = {
    action: 'staff.id-cards-printed',
    entity: 'staff',
    entityId: holders.length === 1 ? first.id : 0,
    details: { rows: holders.length },
    names: holders.length,
  };
  return takeNames(ctx, act, async () => ({
    mediaType: 'application/pdf',
    name: 'staff-id-cards.pdf',
    bytes: await ctx.makePaper(cardSheet, await sheetOf(ctx, holders, selected.length - holders.length), ctx.caller),
  }));
};

const readHolders = (ctx: UserContext, ids: readonly number[]) =>
  staffOf(ctx, toLocalDate(ctx.now()))
    .where(sql<boolean>`staff.id = any(${ids})`)
    .select(['staff.blood_group', 'staff.emergency_name', 'staff.emergency_mobile'])
    .orderBy(sql`lower(staff.name)`)
    .orderBy('staff.id')
    .execute();

type Holder = Awaited<ReturnType<typeof readHolders>>[number];

async function sheetOf(ctx: UserContext, holders: readonly Holder[], left: number): Promise<CardSheet> {
  const head = await ctx.readPaperHead(ctx);
  const portraits = await readPortraits(
    ctx,
    holders.flatMap(({ picture_id }) => picture_id ?? []),
  );
  return {
    head,
    title: text`Staff identity card`,
    cards: holders.map((holder) => ({
      name: holder.name,
      picture: portraits.get(holder.picture_id ?? ''),
      facts: factsOf(holder),
    })),
    ...(head.phone && { foot: text`If found, call the school: ${{ phone: head.phone }}` }),
    notes: [
      text`Printed on ${{ day: showDate(toLocalDate(ctx.now())) }} by ${{ by: ctx.user.name }}`,
      ...(left > 0
        ? [
            text(
              {
                message:
                  '{left, plural, one {# selected person has left and has no card.} other {# selected people have left and have no card.}}',
              },
              { left },
            ),
          ]
        : []),
    ],
  };
}

/** What the record has of the card's facts. */
const factsOf = ({ employee_number, post, blood_group, emergency_name, emergency_mobile }: Holder) =>
  (
    [
      [personFields.employeeNumber.label, employee_number],
      [postFields.designationId.label, post?.designation],
      [postFields.departmentId.label, post?.department],
      [personFields.bloodGroup.label, blood_group],
      [personFields.emergencyName.label, [emergency_name, emergency_mobile].filter(Boolean).join(', ')],
    ] as const
  ).flatMap(([name, value]) => (value ? [[name, value] as const] : []));

export const idCardRoutes = routes(staffIdCardApi, { print });
