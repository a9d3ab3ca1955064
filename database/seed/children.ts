import { addDays } from '#kit/server/day.ts';
import type { Random } from '#kit/server/random.ts';
import { type Address, drawAddress } from './addresses.ts';
import { drawCommunity } from './names.ts';
import { capacityOf, daysOfYear, type SeedPlan, sectionsPerGrade, startYearsOf } from './plan.ts';
import { firstAge, grades } from './school.ts';

/** A family; its children share its surname and its address. */
export interface ChildrensFamily {
  surname: string;
  father: string;
  mother: string;
  address: Address;
  girls: string[];
  boys: string[];
  children: Child[];
}

export interface Child {
  grNo: string;
  firstName: string;
  gender: 'F' | 'M';
  birthDate: string;
  family: ChildrensFamily;
  years: ChildYear[];
}

/** A child's academic year in a grade. */
export interface ChildYear {
  /** The calendar year in which the academic year begins. */
  start: number;
  /** The index of the grade. */
  grade: number;
  isNew: boolean;
  status: 'Active' | 'Promoted' | 'Detained' | 'Left';
  joinedOn: string;
  leftOn: string | null;
  /** Whether the grade's promotion ended it. */
  isConcluded: boolean;
  /** The child's sections, one after the other; none for a child without a section. */
  seats: Seat[];
}

interface Seat {
  /** The index of the section in its grade. */
  section: number;
  rollNo: number;
  from: string;
  to: string | null;
  reason: string;
}

const topGrade = grades.length - 1;
/** From Grade 5 on a child may be detained. */
const firstDetaining = grades.indexOf('Grade 5');
const firstGrNo = 1001;

/**
 * The children of a school, year by year: each year the grades move up, some children leave, and new ones fill the
 * seats. The same plan always gives the same children.
 */
export function drawChildren(plan: SeedPlan): Child[] {
  const random = plan.random('children');
  const starts = startYearsOf(plan);
  const children: Child[] = [];
  const families: ChildrensFamily[] = [];
  let waiting: Child[][] = grades.map(() => []);

  for (const [index, start] of starts.entries()) {
    const year = { start, isFirst: index === 0, ...daysOfYear(start), plan, random };
    const isOver = index < starts.length - 1;
    const inGrades = waiting.map((grade) => [...grade]);
    const wanted = strengthsOf(plan, random);
    // The oldest joined first, so they have the lowest numbers.
    for (let grade = topGrade; grade >= 0; grade--) {
      const there = inGrades[grade] ?? [];
      for (const child of there) child.years.push(yearOf(year, grade, false));
      while (there.length < (wanted[grade] ?? 0)) {
        const child = drawChild(year, grade, families);
        child.grNo = String(firstGrNo + children.length);
        children.push(child);
        there.push(child);
      }
    }
    for (const there of inGrades) {
      const rooms = seat(year, there);
      for (const child of there) leaveEarly(year, child);
      moveSome(year, rooms);
    }
    waiting = isOver ? moveUp(year, inGrades) : [];
    if (index === starts.length - 2) forgetOne(year, children);
  }
  return children;
}

interface Year {
  start: number;
  isFirst: boolean;
  starts_on: string;
  ends_on: string;
  plan: SeedPlan;
  random: Random;
}

/** The number of children of each grade in a year: slightly more or fewer than its sections usually have. */
function strengthsOf(plan: SeedPlan, random: Random): number[] {
  const perSection = plan.students / plan.sections;
  return sectionsPerGrade(plan, grades.length).map((sections) =>
    Math.round(sections * perSection * (0.96 + random.upTo(80) / 1000)),
  );
}

const yearOf = ({ start, starts_on }: Year, grade: number, isNew: boolean): ChildYear => ({
  start,
  grade,
  isNew,
  status: 'Active',
  joinedOn: starts_on,
  leftOn: null,
  isConcluded: false,
  seats: [],
});

/** The latest day of a year that is not in the future. */
const lastDayOf = ({ ends_on, plan }: Year) => (ends_on < plan.today ? ends_on : plan.today);

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;

/** A new child in a grade, in a new family or in one with children here. */
function drawChild(year: Year, grade: number, families: ChildrensFamily[]): Child {
  const { random } = year;
  const birthDate = drawBirthDate(random, year.start, grade);
  const known = findFamily(random, families, birthDate);
  const family = known ?? drawFamily(random);
  if (!known) families.push(family);
  const gender: Child['gender'] = random.upTo(100) < 48 ? 'F' : 'M';
  const taken = family.children.map(({ firstName }) => firstName);
  const names = (gender === 'F' ? family.girls : family.boys).filter((name) => !taken.includes(name));
  const own = yearOf(year, grade, !year.isFirst || grade === 0);
  const late = daysBetween(year.starts_on, lastDayOf(year)) - 30;
  if (own.isNew && late > 0 && random.isOnceIn(12)) own.joinedOn = addDays(year.starts_on, 15 + random.upTo(late));
  const child = { grNo: '', firstName: random.oneOf(names), gender, birthDate, family, years: [own] };
  family.children.push(child);
  return child;
}

/** The birth date of a child with the grade's usual age on the first day of the year. */
export const drawBirthDate = (random: Random, start: number, grade: number): string =>
  addDays(`${start - firstAge - grade}-06-01`, -random.upTo(365));

/** A third of the children are siblings of others, at least 14 months apart. */
function findFamily(random: Random, families: ChildrensFamily[], birthDate: string): ChildrensFamily | undefined {
  if (families.length === 0 || !random.isOnceIn(3)) return undefined;
  for (let tries = 0; tries < 8; tries++) {
    const family = random.oneOf(families);
    const gaps = family.children.map((child) => Math.abs(daysBetween(child.birthDate, birthDate)));
    if (gaps.length < 3 && gaps.every((days) => days > 425 && days < 3650)) return family;
  }
  return undefined;
}

export function drawFamily(random: Random): ChildrensFamily {
  const { surnames, girls, boys, men, women } = drawCommunity(random);
  return {
    surname: random.oneOf(surnames),
    father: random.oneOf(men),
    mother: random.oneOf(women),
    address: drawAddress(random),
    girls,
    boys,
    children: [],
  };
}

export const fullName = ({ firstName, family }: Child): string => `${firstName} ${family.father} ${family.surname}`;

/** Assigns a grade's children to sections, with roll numbers: to their previous section while it has a free seat. */
function seat(year: Year, there: Child[]): Child[][] {
  const { plan, random } = year;
  const grade = there[0]?.years.at(-1)?.grade ?? 0;
  const count = sectionsPerGrade(plan, grades.length)[grade] ?? 1;
  const rooms: Child[][] = Array.from({ length: count }, () => []);
  const most = Math.min(Math.ceil(there.length / count), capacityOf(plan));
  const isCurrent = year.ends_on >= plan.today;
  const others: Child[] = [];
  for (const child of there) {
    const before = child.years.at(-2)?.seats.at(-1)?.section;
    const room = before === undefined ? undefined : rooms[before];
    if (room && room.length < most) room.push(child);
    else others.push(child);
  }
  for (const child of others) {
    // A few of this year's new children have no section yet.
    if (isCurrent && child.years.at(-1)?.isNew && random.isOnceIn(20)) continue;
    const room = rooms.reduce((least, next) => (next.length < least.length ? next : least));
    if (room.length < capacityOf(plan)) room.push(child);
  }
  for (const [section, room] of rooms.entries()) number(room, section);
  return rooms;
}

/** Roll numbers are in the order of names; later joiners come last. */
function number(room: Child[], section: number) {
  const listed = room.map((child) => {
    const own = child.years.at(-1) as ChildYear;
    return { own, key: `${own.joinedOn} ${fullName(child).toLowerCase()} ${child.grNo}` };
  });
  listed.sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const [index, { own }] of listed.entries())
    own.seats.push({ section, rollNo: index + 1, from: own.joinedOn, to: null, reason: '' });
}

/** A few children leave before the year is over. */
function leaveEarly(year: Year, { years }: Child) {
  const own = years.at(-1) as ChildYear;
  const days = daysBetween(own.joinedOn, lastDayOf(year)) - 31;
  if (days <= 0 || !year.random.isOnceIn(80)) return;
  own.leftOn = addDays(own.joinedOn, 30 + year.random.upTo(days));
  own.status = 'Left';
  for (const seat of own.seats) seat.to = own.leftOn;
}

/** A few children change to the next section, where they get the next number. */
function moveSome(year: Year, rooms: Child[][]) {
  const { plan, random } = year;
  for (const [section, room] of rooms.entries()) {
    const to = (section + 1) % rooms.length;
    const target = rooms[to] ?? [];
    if (room.length === 0 || to === section || target.length >= capacityOf(plan) || !random.isOnceIn(6)) continue;
    const child = random.oneOf(room);
    const own = child.years.at(-1) as ChildYear;
    const [seat] = own.seats;
    const days = daysBetween(own.joinedOn, lastDayOf(year)) - 15;
    if (seat?.section !== section || own.leftOn || days <= 0) continue;
    const from = addDays(own.joinedOn, 14 + random.upTo(days));
    seat.to = addDays(from, -1);
    target.push(child);
    own.seats.push({ section: to, rollNo: target.length, from, to: null, reason: 'At the parents’ wish' });
  }
}

/** One child left on the last day of the year before; the office has not entered it yet. */
function forgetOne({ start, ends_on }: Year, children: Child[]) {
  const own = children
    .flatMap(({ years }) => years.at(-1) ?? [])
    .find((last) => last.start === start && last.isConcluded && last.leftOn === ends_on && last.grade !== topGrade);
  if (own) Object.assign(own, { status: 'Active', leftOn: null, isConcluded: false });
}

/** Ends a year for every child; returns the children of each grade of the next year. */
function moveUp({ ends_on, random }: Year, inGrades: Child[][]): Child[][] {
  const next: Child[][] = grades.map(() => []);
  for (const [grade, there] of inGrades.entries()) {
    for (const child of there) {
      const own = child.years.at(-1) as ChildYear;
      if (own.status === 'Left') continue;
      own.isConcluded = true;
      if (grade === topGrade || random.isOnceIn(50)) {
        own.status = 'Left';
        own.leftOn = ends_on;
      } else if (grade >= firstDetaining && random.isOnceIn(60)) {
        own.status = 'Detained';
        next[grade]?.push(child);
      } else {
        own.status = 'Promoted';
        next[grade + 1]?.push(child);
      }
    }
  }
  return next;
}
