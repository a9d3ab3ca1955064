import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

const sets = ['accountant', 'financeApprover', 'office', 'principal'] as const;

export const studentFeesPage = {
  path: 'fee/student-wise-fees-structure',
  title: text`Student-Wise Fees Structure`,
  reads: 'GET /fee/student',
  roles: ['Staff'],
  sets,
  isWide: true,
  search: ['part', 'inside', 'tab', 'student', 'act', 'day', 'cashier', 'shift', 'report', 'from', 'to', 'by', 'page'],
  acts: [
    {
      key: 'receive',
      title: text`Receive fees`,
      alsoNamed: text`payment receipt counter`,
      sets: ['accountant'],
      isDaily: true,
    },
  ],
} as const satisfies Page;

export const feeMoneyPages = [
  studentFeesPage,
  {
    path: 'fee/student-wise-fees-structure/$studentID',
    title: text`Fees of a student`,
    reads: 'GET /fee/student/:id',
    isReadAhead: true,
    roles: ['Staff'],
    sets,
    search: ['part'],
  },
] as const satisfies readonly Page[];
