import { addDays } from '#kit/server/day.ts';
import type { Random } from '#kit/server/random.ts';
import { type Child, type ChildrensFamily, drawBirthDate, drawChildren, drawFamily } from './children.ts';
import { demoDomain } from './demo-people.ts';
import { fictionalMobile, type SeedPlan, startYearOf } from './plan.ts';
import { grades } from './school.ts';

/** A child whose family has applied to the school. */
export interface Applicant {
  askedOn: string;
  /** The calendar year in which the requested academic year begins. */
  start: number;
  grade: string;
  source: string;
  hasConsent: boolean;
  isRevoked: boolean;
  /** Whether the inquiry is so recent that its link has not expired. */
  isRecent: boolean;
  firstName: string;
  lastName: string;
  gender: 'F' | 'M';
  birthDate: string;
  father: string;
  mother: string;
  fatherMobile: string;
  motherMobile: string;
  fatherEmail: string;
  motherEmail: string;
  siblingNames: string;
}

/** The number of days over which families apply. */
const days = 120;
/** A link is valid a little longer. */
const recentDays = 55;
const sources = ['Walk-in', 'Walk-in', 'Friends or family', 'Friends or family', 'Website', 'Other', 'Event at school'];
/** Most children start in the lowest grades. */
const wanted = [0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 3, 3, 4, 6, 8, 11, 13];
/** Mobile numbers after those of the staff. */
const firstMobile = 100_000;

/**
 * Inquiries of the last months, one for every twenty students, the earliest first. A third is for siblings of students.
 */
export function drawApplicants(plan: SeedPlan): Applicant[] {
  const random = plan.random('applicants');
  const known = drawChildren(plan).filter((child) => child.years.at(-1)?.status === 'Active');
  const count = Math.round(plan.students / 20);
  return Array.from({ length: count }, (_, index) => {
    const sibling = known.length > 0 && random.isOnceIn(3) ? random.oneOf(known) : undefined;
    return drawApplicant(plan, random, { index, count, sibling });
  });
}

interface Asking {
  index: number;
  count: number;
  sibling: Child | undefined;
}

function drawApplicant(plan: SeedPlan, random: Random, { index, count, sibling }: Asking): Applicant {
  const family: ChildrensFamily = sibling?.family ?? drawFamily(random);
  const grade = random.oneOf(wanted);
  const start = startYearOf(plan.today) + (random.isOnceIn(4) ? 0 : 1);
  const gender = random.isOnceIn(2) ? 'F' : 'M';
  const taken = family.children.map(({ firstName }) => firstName);
  const names = (gender === 'F' ? family.girls : family.boys).filter((name) => !taken.includes(name));
  const email = (name: string) => `${name}.${family.surname}${index}@${demoDomain}`.toLowerCase();
  const ago = days - Math.floor((index * days) / count);
  return {
    askedOn: addDays(plan.today, -ago),
    isRecent: ago < recentDays,
    start,
    grade: grades[grade] ?? '',
    source: random.oneOf(sources),
    hasConsent: !random.isOnceIn(4),
    isRevoked: random.isOnceIn(15),
    firstName: random.oneOf(names),
    lastName: family.surname,
    gender,
    birthDate: drawBirthDate(random, start, grade),
    father: family.father,
    mother: family.mother,
    fatherMobile: fictionalMobile(firstMobile + 2 * index),
    motherMobile: fictionalMobile(firstMobile + 2 * index + 1),
    fatherEmail: email(family.father),
    motherEmail: email(family.mother),
    siblingNames: sibling ? `${sibling.firstName} ${family.surname} (${grades[sibling.years.at(-1)?.grade ?? 0]})` : '',
  };
}
