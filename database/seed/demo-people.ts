import { grantedSets } from '#access/contract/grants.ts';
import type { NewAccount } from '#features/account/api.ts';

/** The domain of the demo families' email: no real address has it. */
export const demoDomain = 'family.example';

/** The domain of the demo staff's email. */
export const staffDomain = 'sunrise.example';

/** The password of the demo's Admin; printed at every start of the demo, so it is not secret. */
export const demoPassword = 'Teak-Bridge-48';

/** Ravi has the rights of a teacher by the mapping of teachers alone. */
export const demoTeacherEmail = 'teacher@sunrise.example';

/** The demo school's staff. */
export const demoPeople: NewAccount[] = [
  { name: 'Asha Trivedi', userName: 'admin', password: demoPassword, email: 'admin@sunrise.example', isAdmin: true },
  { name: 'Kiran Parmar', email: 'office.head@sunrise.example', mobile: '9825020001', sets: grantedSets },
  { name: 'Ravi Solanki', email: demoTeacherEmail, mobile: '9825020002' },
  { name: 'Farida Shaikh', email: 'accounts@sunrise.example', mobile: '9825020003', sets: ['accountant'] },
  { name: 'Meena Chauhan', email: 'office@sunrise.example', mobile: '9825020004', sets: ['office'] },
  // Decides what the accountant asks for.
  { name: 'Nilesh Vyas', email: 'finance@sunrise.example', mobile: '9825020005', sets: ['financeApprover'] },
];

/** The sign-ins of the demo: Admin with the password, Staff with a code from the outbox. */
export const demoAccounts = demoPeople.map(({ userName, email, mobile, isAdmin, sets = [], name }) => ({
  role: isAdmin ? 'Admin' : 'Staff',
  name,
  ...(userName ? { userName, password: demoPassword } : { email, mobile }),
  sets,
}));
