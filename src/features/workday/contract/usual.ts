import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { workdayMasterAccess } from './access.ts';

/** The usual shifts, by their names; a category of the same kind gets the third. */
export const usualShifts = [
  {
    name: 'School',
    starts: '07:45',
    ends: '14:30',
    is_default: true,
    works_vacation: false,
  },
  {
    name: 'Office',
    starts: '09:00',
    ends: '17:00',
    is_default: false,
    works_vacation: true,
  },
  {
    name: 'Drivers',
    starts: '06:00',
    ends: '16:30',
    is_default: false,
    works_vacation: false,
  },
] as const;

const type = {
  counts: 'Working days',
  carry_halves: 0,
  most_halves_in_a_row: null as number | null,
  paper_after_halves: null as number | null,
  is_half_allowed: true,
  is_paid: true,
  may_go_below: false,
  gender: '',
};

/** The usual leave types of a school, with the half days of a year that everybody gets. */
export const usualTypes: readonly (typeof type & { code: string; name: string; halves: number | null })[] = [
  { ...type, code: 'CL', name: 'Casual leave', most_halves_in_a_row: 6, halves: 24 },
  { ...type, code: 'SL', name: 'Sick leave', paper_after_halves: 4, halves: 20 },
  { ...type, code: 'EL', name: 'Earned leave', counts: 'Working days and days between', carry_halves: 60, halves: 30 },
  {
    ...type,
    code: 'ML',
    name: 'Maternity leave',
    counts: 'Calendar days',
    is_half_allowed: false,
    gender: 'Female',
    halves: 364,
  },
  { ...type, code: 'LWP', name: 'Leave without pay', is_paid: false, may_go_below: true, halves: null },
];

export const usualApi = {
  /** Which of the lists are empty. */
  read: endpoint({
    method: 'GET',
    path: '/workday/usual',
    access: [...workdayMasterAccess, staff('principal')],
    shows: ['shift', 'leave-type', 'leave-rule'],
    input: z.object({}),
    output: z.object({ shift: z.boolean(), 'leave-type': z.boolean(), 'leave-rule': z.boolean() }),
  }),
  /** Adds the usual shifts, leave types and rules of the current year where there are none. */
  add: endpoint({
    method: 'POST',
    path: '/workday/usual',
    access: workdayMasterAccess,
    changes: ['shift', 'leave-type', 'leave-rule', 'workday'],
    input: z.object({}),
    output: z.object({ shifts: z.number(), types: z.number(), rules: z.number() }),
  }),
};
