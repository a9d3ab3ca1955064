import fc from 'fast-check';
import { expect, test } from 'vitest';
import { classmateRules } from '../../contract/section-student.ts';
import { planSeats, type Seats, type Unplaced } from './auto-assign-plan.ts';

const children = (girls: number, boys: number): Unplaced[] => [
  ...Array.from({ length: girls }, (_, n) => ({ id: n + 1, gender: 'F', old: null })),
  ...Array.from({ length: boys }, (_, n) => ({ id: 101 + n, gender: 'M', old: null })),
];
const section = (id: number, capacity: number, girls = 0, boys = 0): Seats => ({
  id,
  capacity,
  girls,
  boys,
  strength: girls + boys,
  olds: new Map(),
});
const countsOf = (values: Map<number, number>, id: number) => {
  const ids = [...values].filter(([, section]) => section === id).map(([child]) => child);
  return [ids.filter((child) => child < 100).length, ids.filter((child) => child > 100).length];
};

test('girls and boys are distributed evenly', () => {
  const plan = planSeats(children(10, 20), [section(1, 40), section(2, 40)], 'ignore');
  expect([countsOf(plan, 1), countsOf(plan, 2)]).toEqual([
    [5, 10],
    [5, 10],
  ]);
});

test('a section with fewer girls gets more of them', () => {
  const plan = planSeats(children(4, 0), [section(1, 40, 6, 2), section(2, 40, 2, 6)], 'ignore');
  expect([countsOf(plan, 1), countsOf(plan, 2)]).toEqual([
    [0, 0],
    [4, 0],
  ]);
});

test('no section exceeds its capacity, and children without a seat stay unassigned', () => {
  const plan = planSeats(children(5, 5), [section(1, 4), section(2, 3, 0, 1)], 'ignore');
  expect(plan.size).toBe(6);
  expect(countsOf(plan, 1).reduce((sum, n) => sum + n)).toBe(4);
  expect(countsOf(plan, 2).reduce((sum, n) => sum + n)).toBe(2);
  expect(planSeats(children(1, 1), [], 'ignore')).toEqual(new Map());
});

const from = (old: number, count: number, first: number): Unplaced[] =>
  Array.from({ length: count }, (_, n) => ({ id: first + n, gender: n % 2 ? 'M' : 'F', old }));
/** For each section, the number of children from each earlier section. */
const lastSectionsOf = (values: Map<number, number>, all: readonly Unplaced[], sections: readonly Seats[]) =>
  sections.map(({ id }) =>
    [
      ...Map.groupBy(
        all.filter((child) => values.get(child.id) === id),
        ({ old }) => old,
      ),
    ]
      .map(([old, group]) => `${group.length} of ${old}`)
      .sort(),
  );

test('classmates are separated or kept together', () => {
  const all = [...from(7, 12, 1), ...from(8, 8, 101)];
  const sections = [section(1, 20), section(2, 20)];
  expect(lastSectionsOf(planSeats(all, sections, 'separate'), all, sections)).toEqual([
    ['4 of 8', '6 of 7'],
    ['4 of 8', '6 of 7'],
  ]);
  expect(lastSectionsOf(planSeats(all, sections, 'keep'), all, sections)).toEqual([['12 of 7'], ['8 of 8']]);
});

test('classmates join those already assigned, and the rest go to the next section when seats run out', () => {
  const all = from(7, 5, 1);
  const sections = [section(1, 20), { ...section(2, 6, 2, 1), olds: new Map([[7, 3]]) }];
  expect(lastSectionsOf(planSeats(all, sections, 'keep'), all, sections)).toEqual([['2 of 7'], ['3 of 7']]);
});

const child = fc.record({
  gender: fc.constantFrom('F', 'M', 'T'),
  old: fc.option(fc.integer({ min: 1, max: 4 })),
});
const someChildren = fc
  .array(child, { maxLength: 90 })
  .map((all): Unplaced[] => all.map((child, index) => ({ ...child, id: index + 1 })));
const someSections = fc
  .array(fc.record({ capacity: fc.integer({ min: 1, max: 30 }), girls: fc.nat(15), boys: fc.nat(15) }), {
    maxLength: 5,
  })
  .map((all) => all.map(({ capacity, girls, boys }, index) => section(index + 1, capacity, girls, boys)));
const rule = fc.constantFrom(...classmateRules);

test('for any input, no section exceeds its capacity and no child stays unassigned while a seat is free', () => {
  fc.assert(
    fc.property(someChildren, someSections, rule, (all, sections, how) => {
      const plan = planSeats(all, sections, how);
      const free = sections.map(({ id, capacity, strength }) => {
        const added = [...plan.values()].filter((sectionId) => sectionId === id).length;
        // A section over capacity gets no child.
        expect(added).toBeLessThanOrEqual(Math.max(capacity - strength, 0));
        return Math.max(capacity - strength, 0) - added;
      });
      if (plan.size < all.length) expect(free.every((seats) => seats === 0)).toBe(true);
      expect(planSeats(all, sections, how)).toEqual(plan);
    }),
  );
});

test('no single move of an assigned child would balance girls and boys better', () => {
  fc.assert(
    fc.property(
      someChildren,
      someSections,
      fc.constantFrom('ignore' as const, 'separate' as const),
      (all, sections, how) => {
        const plan = planSeats(all, sections, how);
        const after = sections.map(({ id, capacity, strength, girls, boys }) => {
          const of = (gender: string) =>
            all.filter((unplaced) => unplaced.gender === gender && plan.get(unplaced.id) === id).length;
          const added = [...plan.values()].filter((sectionId) => sectionId === id).length;
          const isOpen = strength + added < capacity;
          return { isOpen, F: { added: of('F'), all: girls + of('F') }, M: { added: of('M'), all: boys + of('M') } };
        });
        for (const gender of ['F', 'M'] as const)
          for (const fuller of after.filter((section) => section[gender].added > 0))
            for (const other of after.filter(({ isOpen }) => isOpen))
              expect(fuller[gender].all - other[gender].all).toBeLessThanOrEqual(1);
      },
    ),
  );
});

test('classmates are separated evenly over empty sections, within one girl and one boy', () => {
  fc.assert(
    fc.property(someChildren, fc.integer({ min: 1, max: 5 }), (all, count) => {
      const sections = Array.from({ length: count }, (_, index) => section(index + 1, 90));
      const apart = all.filter(({ gender }) => gender !== 'T');
      const plan = planSeats(apart, sections, 'separate');
      for (const old of [1, 2, 3, 4]) {
        const counts = sections.map(
          ({ id }) => apart.filter((unplaced) => unplaced.old === old && plan.get(unplaced.id) === id).length,
        );
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2);
      }
    }),
  );
});

test('classmates stay in one section when it has enough seats', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 }), (sizes) => {
      const all = sizes.flatMap((size, old) => from(old, size, 1 + old * 100));
      const sections = sizes.map((_, index) => section(index + 1, 20));
      const plan = planSeats(all, sections, 'keep');
      for (const old of sizes.keys())
        expect(new Set(all.filter((unplaced) => unplaced.old === old).map(({ id }) => plan.get(id))).size).toBe(1);
    }),
  );
});
