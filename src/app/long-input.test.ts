import { describe, expect, test } from 'vitest';
import { parseJson } from '#kit/server/http/json.ts';
import { growthOf } from '#testing/growth.ts';
import { type InputField, placesOf, sampleOf } from '#testing/inputs.ts';
import { placesOfEachKind } from '#testing/kinds.ts';
import { longAs, longLists, longTexts, manyNames, someTexts } from '#testing/long-values.ts';
import { isSoak } from '#testing/soak.ts';
import { allRoutes } from './server.ts';

const endpoints = allRoutes.map(({ endpoint }) => endpoint);

/** The values that a place is measured with, by name, for a size. */
function valuesFor({ kind, sample }: InputField): [name: string, value: (size: number) => unknown][] {
  if (kind === 'list') return longLists((sample as unknown[])[0]);
  if (kind === 'names') return [['many names', (size) => ({ ...(sample as object), ...manyNames(size) })]];
  return [...(isSoak ? longTexts : someTexts), ['its own letters', longAs(sample)]];
}

/** Whether rules across fields see a value of 60 kB in a place: one that the field refuses is undefined in them. */
const isSeenByRules = ({ schema }: InputField, value: (size: number) => unknown) =>
  schema.safeParse(value(60_000)).success;

/** The inputs for its possible choices; one is enough where no rule reads across fields. */
function choicesOf(input: { def: object }): object[] {
  const { checks = [], shape = {} } = input.def as { checks?: unknown[]; shape?: Record<string, { def: object }> };
  if (checks.length === 0) return [{}];
  const choices = Object.entries(shape).flatMap(([name, field]) => {
    const { entries = {} } = field.def as { entries?: object };
    return Object.values(entries).map((word) => ({ [name]: word }));
  });
  return choices.length > 0 ? choices : [{}];
}

describe.each(placesOfEachKind(endpoints))('%s', (_name, { input }, places) => {
  test('W1 F7 a text, a list or an object of 60 kB in any field costs at most 15 times what one of 6 kB costs', async () => {
    const steep: string[] = [];
    for (const place of places) {
      for (const [name, value] of valuesFor(place)) {
        const isSeen = isSoak || isSeenByRules(place, value);
        // By itself a field costs the same in every operation.
        if (!isSeen && !place.isFirst) continue;
        for (const choice of isSeen ? choicesOf(input) : [{}]) {
          const found = await growthOf((size) => {
            const values = { ...place.put(value(size)), ...choiceBeside(place, choice) };
            return () => input.safeParse(values);
          });
          if (found) steep.push(`${place.path} of ${name}: ${found}`);
        }
      }
    }
    expect(steep.join('\n')).toBe('');
  });
});

const choiceBeside = ({ path }: InputField, choice: object) => (path in choice ? {} : choice);

test('W1 the walk meets the inputs: hundreds of fields, and samples that are accepted', () => {
  const places = endpoints.flatMap(({ input }) => placesOf(input));
  expect(places.filter(({ kind }) => kind === 'leaf').length).toBeGreaterThan(1000);
  expect(places.filter(({ kind }) => kind === 'list').length).toBeGreaterThan(9);
  // Rules across fields run once every field is accepted: a sample they refuse has been read whole.
  const refused = endpoints.flatMap(({ method, path, input }) =>
    (input.safeParse(sampleOf(input)).error?.issues ?? [])
      .filter(({ code }) => code !== 'custom')
      .map(({ message }) => `${method} ${path}: ${message}`),
  );
  expect(refused).toEqual([]);
});

test('W1 an expression that is slow on a field is found', async () => {
  const slowOn = async (act: (text: string) => unknown, most: number) => {
    const names: string[] = [];
    for (const [name, text] of isSoak ? longTexts : someTexts) {
      const prepare = (size: number) => {
        const long = text(size);
        return () => act(long);
      };
      if (await growthOf(prepare, most)) names.push(name);
    }
    return names;
  };
  expect(await slowOn((text) => /^\S+@\S+\.\S+$/.test(text), 2000)).not.toEqual([]);
  expect(await slowOn((text) => text.replace(/\s+$/, ''), 20_000)).not.toEqual([]);
  expect(await slowOn((text) => [...text].length, 60_000)).toEqual([]);
});

const bodies: [name: string, body: (size: number) => string][] = [
  ...longTexts.map(([name, text]): [string, (size: number) => string] => [
    name,
    (size) => JSON.stringify({ a: text(size) }),
  ]),
  ['many names', (size) => JSON.stringify(manyNames(size))],
  ['many lists', (size) => `[${'[],'.repeat(size / 3)}[]]`],
  ['depth', (size) => '['.repeat(size / 2) + ']'.repeat(size / 2)],
  ['depth of objects', (size) => `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`],
  ['blanks', (size) => `{"a"${' '.repeat(size)}:1}`],
  ['quotes that never end', (size) => `${'"'.repeat(size)}\\"`],
  ['escapes', (size) => `{"${'\\"'.repeat(size / 2)}":1}`],
  ['the start of an escape', (size) => `["${'\\\\'.repeat(size / 2)}"]`],
];

test.each(bodies)('W1 a body of JSON of %s is read in linear time', async (_name, body) => {
  const found = await growthOf((size) => {
    const text = body(size);
    return () => {
      try {
        parseJson(text);
      } catch {
        // Refused; only the time counts.
      }
    };
  });
  expect(found).toBeUndefined();
});
