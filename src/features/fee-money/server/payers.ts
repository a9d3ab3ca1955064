import { sql } from 'kysely';
import { waysOf } from '#features/family/api.ts';
import { contactsOf } from '#features/student/api.ts';
import type { Context } from '#kit/server/context.ts';
import type { Queued } from '#kit/server/messages/outbox.ts';

/** The guardian who paid each payment, or else the primary contact of its children, of those who receive messages. */
async function payersOf(ctx: Pick<Context, 'db'>, paymentIds: readonly number[]) {
  const { rows } = await sql<{ id: number; guardianId: number | null; studentIds: number[] }>`
    select payment.id, guardian_now(payment.payer_guardian_id) as "guardianId", array_agg(distinct account.student_id) as "studentIds"
    from fee_payment payment join fee_receipt receipt on receipt.payment_id = payment.id
    join fee_account account on account.id = receipt.account_id
    where payment.id = any(${paymentIds}::integer[]) and account.student_id is not null group by payment.id`.execute(
    ctx.db,
  );
  const students = [...new Set(rows.flatMap(({ studentIds }) => studentIds))];
  const adults = students.length === 0 ? [] : await contactsOf(ctx, students, 'receiving');
  return rows.flatMap(({ id, guardianId, studentIds }) => {
    const own = adults.flatMap((adult) => {
      const children = adult.children.filter(({ studentId }) => studentIds.includes(studentId));
      return children.length > 0 ? [{ ...adult, children }] : [];
    });
    const contact = own.find((adult) =>
      guardianId === null ? adult.children.some(({ isPrimary }) => isPrimary) : adult.guardianId === guardianId,
    );
    return contact ? [{ id, contact }] : [];
  });
}

/** A message about each payment for its payer, once under its key. */
export async function toldPayers(
  ctx: Context,
  sending: { kind: string; urgency: 'Must' },
  paymentIds: readonly number[],
) {
  const payers = await payersOf(ctx, paymentIds);
  const pairs = payers.flatMap(({ contact: { guardianId, children } }) =>
    children.map(({ studentId }) => ({ guardianId, studentId })),
  );
  const ways = await waysOf(ctx, sending, pairs);
  return payers.flatMap(({ id, contact }) => {
    const [way] = ways.get(contact.guardianId)?.ways ?? [];
    return way ? [{ way, subjectId: id, key: `${sending.kind} ${id}` }] : [];
  });
}

/** Whether who has a message about a payment is still its payer, and receives messages. */
export async function isForPayer({ db }: Pick<Context, 'db'>, { subjectId, recipient }: Queued): Promise<boolean> {
  const [payer] = await payersOf({ db }, [subjectId]);
  return payer !== undefined && [payer.contact.mobile, payer.contact.email.toLowerCase()].includes(recipient);
}
