import { sql } from 'kysely';
import { householdsOf } from '#features/student/api.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { type MovedChild, moveApi } from '../contract/move.ts';
import { paymentNo } from '../contract/receipt.ts';
import { readCounterChildren } from './family.ts';
import { answersFor, isInOwnDrawer, isOwnAndFresh, requirePayment } from './own-payment.ts';
import { askReissue, standsFor } from './reissue.ts';

const read: Handler<typeof moveApi.read> = async (ctx, { id }) => {
  const found = await requirePayment(ctx, id);
  const { rows } = await sql<{ valueOn: string; reference: string; payer: string; by: string }>`
    select value_on as "valueOn", reference, payer_name as payer, staff.name as by
    from fee_payment payment join staff on staff.id = payment.staff_id where payment.id = ${id}`.execute(ctx.db);
  const [about = { valueOn: '', reference: '', payer: '', by: '' }] = rows;
  const own = await standsFor(ctx, [id]);
  const ids = own.flatMap(({ studentId }) => studentId ?? []);
  const households = ids.length === 0 ? [] : await householdsOf(ctx, { studentIds: ids });
  const others = households.filter((one) => ids.every((child) => one.studentIds.includes(child)));
  const all = [...new Set([...ids, ...others.flatMap(({ studentIds }) => studentIds)])];
  const amountOf = (student: number) => own.find(({ studentId }) => studentId === student)?.amount ?? 0;
  const children = (await readCounterChildren(ctx, all)).filter(({ isElsewhere }) => !isElsewhere);
  return {
    ...about,
    id,
    version: found.version,
    paymentNo: paymentNo(id),
    paidOn: found.paidOn,
    mode: found.mode,
    amount: found.amount,
    receipts: found.names,
    endedAs: found.endedAs ?? '',
    isAsked: found.isAsked,
    isAlone: await isOwnAndFresh(ctx, found),
    isOwnDrawer: isInOwnDrawer(ctx, found),
    isUnplaced: found.isUnplaced,
    answers: answersFor(ctx, found),
    children: children.map(
      ({ studentId, name, grNo, place }): MovedChild => ({ studentId, name, grNo, place, amount: amountOf(studentId) }),
    ),
  };
};

const move: Handler<typeof moveApi.move> = async (ctx, { id, ...asked }) => {
  const { isUnplaced } = await requirePayment(ctx, id);
  return askReissue(ctx, { ...asked, paymentId: id, kind: isUnplaced ? 'Place' : 'Move' });
};

export const moveRoutes = routes({ read: moveApi.read, move: moveApi.move }, { read, move });
