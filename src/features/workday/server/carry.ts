import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type carryApi, carryMessages, mostNamed } from '../contract/carry.ts';
import { showDays } from './cost.ts';

interface Carried {
  staffId: number;
  typeId: number;
  name: string;
  type: string;
  halves: number;
  carried: number;
  /** The type carries some days over. */
  carries: boolean;
}

export const carry: Handler<typeof carryApi.run> = async (ctx, { academicYearId, confirmToken }) => {
  const { db, user, now } = ctx;
  if (user.scope.branches.length > 0) throw new AppError('conflict', carryMessages.whole);
  return previewOrApply(ctx, confirmToken, async () => {
    const year = await db
      .selectFrom('academic_year')
      .where('id', '=', academicYearId)
      .select(['id', 'name', 'starts_on', 'closed_at'])
      .forShare()
      .executeTakeFirstOrThrow(notFound);
    if (year.closed_at) throw new AppError('conflict', carryMessages.closed);
    const next = await db
      .selectFrom('academic_year')
      .where('starts_on', '>', year.starts_on)
      .select(['id', 'name', 'closed_at'])
      .orderBy('starts_on')
      .limit(1)
      .forShare()
      .executeTakeFirst();
    if (!next) throw new AppError('conflict', carryMessages.noNext);
    if (next.closed_at) throw new AppError('conflict', carryMessages.nextClosed);
    const { rows } = await sql<Carried>`
      select own.staff_id as "staffId", own.type_id as "typeId", staff.name, type.code as type, own.halves, own.carried,
        type.carry_halves > 0 as carries
      from workday_carry(${year.id}, null) own join staff on staff.id = own.staff_id join workday_leave_type type on type.id = own.type_id
      order by lower(staff.name), staff.id, type.code`.execute(db);
    const wanted = JSON.stringify(rows.map(({ staffId, typeId, carried }) => ({ staffId, typeId, carried })));
    const given = sql`jsonb_to_recordset(${wanted}::jsonb) as given ("staffId" integer, "typeId" integer, carried smallint)`;
    const { rows: ended } = await sql`
      update workday_credit credit set halves = 0, entered_by = ${user.staffId}, entered_at = ${now()}
      where credit.kind = 'Carried' and credit.academic_year_id = ${next.id} and credit.halves <> 0
        and not exists (select from ${given} where given."staffId" = credit.staff_id and given."typeId" = credit.type_id
          and given.carried > 0)
      returning id`.execute(db);
    const { rows: written } = await sql`
      insert into workday_credit as credit (staff_id, academic_year_id, type_id, kind, halves, reason, entered_by, entered_at)
      select given."staffId", ${next.id}, given."typeId", 'Carried', given.carried, ${year.name}, ${user.staffId}, ${now()}
      from ${given} where given.carried > 0
      on conflict (staff_id, academic_year_id, type_id) where kind = 'Carried' do update
        set halves = excluded.halves, entered_by = excluded.entered_by, entered_at = excluded.entered_at
        where credit.halves <> excluded.halves
      returning id`.execute(db);
    const sum = (of: (row: Carried) => number) => rows.reduce((total, row) => total + of(row), 0);
    const shown = rows.filter(({ carries }) => carries);
    const changes = ended.length + written.length;
    const lapsed = showDays(sum((row) => row.halves - row.carried));
    const carried = showDays(sum((row) => row.carried));
    const details = { Year: year.name, Balances: changes, Carried: carried, Lapsed: lapsed };
    if (changes > 0) await audit(ctx, { action: 'workday.carried', entity: 'workday', entityId: 0, details });
    return {
      answer: {
        to: next.name,
        changes,
        carried,
        lapsed,
        count: shown.length,
        rows: shown.slice(0, mostNamed).map(({ name, type, halves, carried: of }) => ({
          name,
          type,
          left: showDays(halves),
          carried: showDays(of),
          lapsed: showDays(halves - of),
        })),
      },
      basis: [year.id, next.id, changes, rows.map((row) => [row.staffId, row.typeId, row.halves, row.carried])],
    };
  });
};
