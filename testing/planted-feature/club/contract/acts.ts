import { staff } from '#access/contract/grants.ts';
import type { RecordAct } from '#kit/contract/record-card.ts';

/** An act of a student. */
export const joinAct: RecordAct<{ name: string }> = {
  record: 'student',
  key: 'club.join',
  order: 90,
  access: [staff('office')],
};
