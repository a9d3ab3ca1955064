import { staff } from '#access/contract/grants.ts';
import type { PagePart, RecordAct } from '#kit/contract/record-card.ts';
import { text } from '#kit/contract/text.ts';

/** An act of a student. */
export const joinAct: RecordAct<{ id: number; name: string }> = {
  record: 'student',
  key: 'club.join',
  order: 90,
  access: [staff('office')],
};

/** A part of the page of fees. */
export const clubFees: PagePart = {
  page: 'fee/student-wise-fees-structure',
  key: 'club',
  order: 25,
  title: text`Planted club fees`,
  access: [staff('accountant')],
};
