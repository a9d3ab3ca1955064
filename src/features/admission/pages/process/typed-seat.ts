import { typedMoney } from '#kit/contract/money.ts';
import type { SeatRow } from '../../contract/seat.ts';

/** What a row's form sends, as it is typed. */
export const typedSeat = (row: SeatRow) => ({
  total: String(row.total),
  reserved: String(row.reserved),
  interaction: row.interaction,
  admissionFee: row.admissionFee > 0 ? typedMoney(row.admissionFee) : '',
  offerDays: String(row.offerDays),
  opensOn: row.opensOn,
  closesOn: row.closesOn,
});
