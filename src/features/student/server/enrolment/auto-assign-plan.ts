import type { ClassmateRule } from '../../contract/section-student.ts';

/** A child who needs a section. */
export interface Unplaced {
  id: number;
  gender: string;
  /** Last year's section; null without one. */
  old: number | null;
}

export interface Seats {
  id: number;
  capacity: number;
  strength: number;
  girls: number;
  boys: number;
  /** How many of its children come from each section of last year. */
  olds: ReadonlyMap<number, number>;
}

type Filling = Omit<Seats, 'olds'> & { olds: Map<number, number> };

/**
 * Assigns children to sections, balancing girls, boys and strength within capacity. Last year's classmates are ignored,
 * separated or kept together, which comes before the balance. Returns the section of each seated child; deterministic.
 */
export function planSeats(
  children: readonly Unplaced[],
  sections: readonly Seats[],
  classmates: ClassmateRule,
): Map<number, number> {
  const seats = sections.map((section): Filling => ({ ...section, olds: new Map(section.olds) }));
  const sectionIds = new Map<number, number>();
  for (const child of ordered(children, classmates)) {
    const [best] = seats
      .filter(({ strength, capacity }) => strength < capacity)
      .sort((seat, other) => compare(rank(child, seat, classmates), rank(child, other, classmates)));
    // Every section is full.
    if (!best) break;
    take(best, child);
    sectionIds.set(child.id, best.id);
  }
  return sectionIds;
}

/** Classmates one after the other; to keep them together, the largest groups first while there is room. */
function ordered(children: readonly Unplaced[], classmates: ClassmateRule): Unplaced[] {
  if (classmates === 'ignore') return [...children];
  const groups = Map.groupBy(children, ({ old }) => old);
  const places = new Map([...groups].map(([old, group], place) => [old, { size: group.length, place }]));
  const groupRank = ({ old, gender }: Unplaced) => {
    const { size, place } = places.get(old) ?? { size: 0, place: 0 };
    return [old === null ? 1 : 0, classmates === 'keep' ? -size : 0, place, genders.indexOf(gender)];
  };
  return children.toSorted((child, other) => compare(groupRank(child), groupRank(other)));
}
const genders = ['F', 'M', 'T'];

/** How well a section suits a child, the lowest rank best. */
function rank(
  { gender, old }: Unplaced,
  { girls, boys, strength, capacity, olds }: Filling,
  classmates: ClassmateRule,
): number[] {
  const alike = gender === 'F' ? girls : gender === 'M' ? boys : strength;
  const together = old === null ? 0 : (olds.get(old) ?? 0);
  if (classmates === 'keep' && old !== null) return [-together, strength - capacity, alike];
  return classmates === 'separate' ? [alike, together, strength] : [alike, strength];
}

const compare = (left: readonly number[], right: readonly number[]) =>
  left.map((value, place) => value - (right[place] ?? 0)).find((difference) => difference !== 0) ?? 0;

function take(section: Filling, { gender, old }: Unplaced) {
  section.strength += 1;
  if (gender === 'F') section.girls += 1;
  if (gender === 'M') section.boys += 1;
  if (old !== null) section.olds.set(old, (section.olds.get(old) ?? 0) + 1);
}
