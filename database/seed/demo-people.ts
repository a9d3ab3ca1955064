import type { NewAccount } from '#features/account/api.ts';
import { permissionSets } from '#features/account/contract/access.ts';

/** Where the demo families' email goes: no real address ends so. */
export const demoDomain = 'family.example';

/** Where the demo staff's email goes. */
export const staffDomain = 'sunrise.example';

/** What the demo's Admin signs in with; printed at every start of the demo, so known to all. */
export const demoPassword = 'Teak-Bridge-48';

/** The demo school's staff. */
export const demoPeople: NewAccount[] = [
  { name: 'Asha Trivedi', userName: 'admin', password: demoPassword, email: 'admin@sunrise.example', isAdmin: true },
  { name: 'Kiran Parmar', email: 'office.head@sunrise.example', mobile: '9825020001', sets: permissionSets },
  {
    name: 'Ravi Solanki',
    email: 'teacher@sunrise.example',
    mobile: '9825020002',
    sets: ['classTeacher', 'subjectTeacher'],
  },
  { name: 'Farida Shaikh', email: 'accounts@sunrise.example', mobile: '9825020003', sets: ['accountant'] },
  { name: 'Meena Chauhan', email: 'office@sunrise.example', mobile: '9825020004', sets: ['office'] },
];

/** How somebody who tries the demo signs in: Admin with the password, Staff with a code from the outbox. */
export const demoAccounts = demoPeople.map(({ userName, email, mobile, isAdmin, sets = [], name }) => ({
  role: isAdmin ? 'Admin' : 'Staff',
  name,
  ...(userName ? { userName, password: demoPassword } : { email, mobile }),
  sets,
}));
