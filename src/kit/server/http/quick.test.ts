import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { quicken } from './quick.ts';

const child = () =>
  z.object({ id: z.number(), note: z.optional(z.string()), tags: z._default(z.array(z.string()), []) });
const make = () =>
  z.object({
    name: z.string().check(z.maxLength(5)),
    child: z.nullable(child()),
    children: z.array(child()),
    either: z.union([child(), z.string()]),
    by: z.record(z.string(), child()),
    loose: z.looseObject({ id: z.number() }),
    strict: z.strictObject({ id: z.number() }),
    checked: child().check(z.refine(({ id }) => id > 0, { error: 'positive' })),
    turned: z.pipe(
      z.string(),
      z.transform((text) => text.length),
    ),
  });

const one = { id: 1, note: 'n', tags: ['a'] };
const good = {
  ...{ name: 'Asha', child: one, children: [one, { id: 2 }], either: 'x', by: { a: one } },
  ...{ loose: { id: 1, more: 2 }, strict: { id: 1 }, checked: one, turned: 'four' },
};

test('a schema that is made quick says the same of good and of bad values', () => {
  const [plain, quick] = [make(), make()];
  quicken(quick);
  quicken(quick);
  const bad = { id: 'one', tags: 'a', note: 3, more: true };
  const given: unknown[] = [
    ...[good, { ...good, extra: 1 }, {}, null, 'text', [], { ...good, name: 'too long' }],
    ...Object.keys(good).flatMap((name) =>
      [undefined, null, bad, { id: -1 }, [bad, one], { a: bad }, 7].map((value) => ({ ...good, [name]: value })),
    ),
    ...Object.keys(good).map((name) => Object.fromEntries(Object.entries(good).filter(([other]) => other !== name))),
    JSON.parse('{"__proto__": {"name": "x"}}'),
  ];
  const outcome = (schema: ReturnType<typeof make>, value: unknown) => {
    const { success, data, error } = z.safeParse(schema, value);
    return JSON.stringify(success ? data : error?.issues);
  };
  for (const value of given) expect(outcome(quick, value)).toBe(outcome(plain, value));
  expect(new Set(given.map((value) => outcome(quick, value))).size).toBeGreaterThan(30);
});

test('every object within is compiled, however deep it stands, and what is compiled is what runs', () => {
  const quick = make();
  quicken(quick);
  const plain = [quick, quick.shape.children.def.element, quick.shape.child.def.innerType];
  const all = [...plain, quick.shape.checked];
  expect(all.map(({ _zod }) => _zod.traits.has('$ZodObjectJIT'))).toEqual([true, true, true, true]);
  expect(plain.map(({ _zod }) => _zod.run === _zod.parse)).toEqual([true, true, true]);
});
