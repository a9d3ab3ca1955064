import { demoPeople, staffDomain } from './demo-people.ts';
import { drawCommunity } from './names.ts';
import { fictionalMobile, type SeedPlan } from './plan.ts';

/** Departments, with their share of every hundred staff. */
export const departments = [
  { name: 'Administration', share: 4 },
  { name: 'Pre-primary', share: 7 },
  { name: 'Primary', share: 16 },
  { name: 'Languages', share: 16 },
  { name: 'Mathematics', share: 8 },
  { name: 'Science', share: 13 },
  { name: 'Social science', share: 5 },
  { name: 'Commerce', share: 10 },
  { name: 'Computer', share: 4 },
  { name: 'Arts and sports', share: 9 },
  { name: 'Accounts', share: 3 },
  { name: 'Front office', share: 3 },
  { name: 'Library', share: 2 },
] as const;

export type Department = (typeof departments)[number]['name'];

export interface StaffMember {
  name: string;
  gender: 'Female' | 'Male';
  email: string;
  mobile: string;
  department: Department;
}

/** The staff except those who sign in, in the order of departments; the first of each is its head. */
export function drawStaff(plan: SeedPlan): StaffMember[] {
  const random = plan.random('staff');
  const counts = new Map<string, number>();
  const members: StaffMember[] = [];
  let share = 0;
  for (const department of departments) {
    share += department.share;
    const until = Math.max(members.length + 1, Math.round(((plan.staff - demoPeople.length) * share) / 100));
    while (members.length < until) {
      const { surnames, women, men } = drawCommunity(random);
      const isMan = random.isOnceIn(3);
      const first = random.oneOf(isMan ? men : women);
      const last = random.oneOf(surnames);
      const address = `${first}.${last}`.toLowerCase();
      const count = (counts.get(address) ?? 0) + 1;
      counts.set(address, count);
      members.push({
        name: `${first} ${last}`,
        gender: isMan ? 'Male' : 'Female',
        email: `${address}${count > 1 ? count : ''}@${staffDomain}`,
        mobile: fictionalMobile(members.length),
        department: department.name,
      });
    }
  }
  return members;
}
