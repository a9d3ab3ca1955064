import { expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod/mini';
import { type Entered, emptyValuesOf, field, inputOf, outputOf, pick, type Stored } from '#kit/contract/field.ts';
import { fieldErrors } from '#kit/contract/fields.ts';
import { defineRecord } from '#kit/contract/record.ts';
import { english, options, text } from '#kit/contract/text.ts';
import { columnsIn, columnsOf, toOutput, toRow, toWire } from '#kit/server/database/row-map.ts';
import { changesOf } from './changes.ts';

const parks = { table: 'park', labelFields: ['name'], fields: {}, options: undefined as never };
const tree = defineRecord({
  table: 'tree',
  read: [],
  change: [],
  groups: {
    kind: {
      title: text`Kind`,
      fields: {
        commonName: field.text(text`Common name`, { max: 20 }),
        side: field.oneOf(text`Side`, { options: options('North', 'South'), codes: { North: 'N', South: 'S' } }),
        parkId: field.ref(text`Park`, { to: parks }),
        nextParkId: field.ref(text`Next park`, { to: parks, optional: true }),
      },
    },
    care: {
      title: text`Care`,
      fields: {
        plantedOn: field.date(text`Planted on`, { optional: true }),
        keeperMobile: field.mobile(text`Mobile of the keeper`, { optional: true, isNullable: true, column: 'phone' }),
        note: field.text(text`Note`, { max: 50, optional: true, isUnlogged: true }),
        birds: field.someOf(text`Birds`, { options: options('Owl', 'Crow'), optional: true }),
        isFelled: field.yesNo(text`Felled`),
      },
    },
  },
});

const values: Entered<typeof tree.fields> = {
  commonName: 'Oak',
  side: 'South',
  parkId: 4,
  nextParkId: null,
  plantedOn: '',
  keeperMobile: '',
  note: '',
  birds: 'Owl,Crow',
  isFelled: false,
};
const row = {
  common_name: 'Oak',
  side: 'S',
  park_id: 4,
  next_park_id: null,
  planted_on: null,
  phone: null,
  note: '',
  birds: ['Owl', 'Crow'],
  is_felled: false,
};

test('a record’s columns are its fields in snake case, but for the exceptions it names', () => {
  expect(columnsOf(tree.fields)).toEqual(Object.keys(row));
  expect(columnsIn('tree', pick(tree.fields, 'keeperMobile', 'commonName'))).toEqual([
    'tree.phone',
    'tree.common_name',
  ]);
});

test('values become a row and the row becomes the values', () => {
  const made = toRow(tree.fields, values);
  expect(made).toEqual(row);
  expect(toWire(tree.fields, made)).toEqual(values);
  expect(toRow(tree.fields, { commonName: 'Elm' })).toEqual({ common_name: 'Elm' });
});

test('a map of wire names to columns leaves the values as they are', () => {
  const names = { Naam: 'name', Sthal: 'place' } as const;
  expect(toRow(names, { Naam: '', Sthal: null })).toEqual({ name: '', place: null });
  expect(toWire(names, { name: 'Oak', place: null })).toEqual({ Naam: 'Oak', Sthal: null });
});

test('what is entered is checked by the declaration', () => {
  const input = z.object(inputOf(tree.fields));
  expect(input.parse({ ...values, parkId: '4', keeperMobile: '+91 98765 43210' })).toEqual({
    ...values,
    keeperMobile: '9876543210',
  });
  const { error } = input.safeParse({ ...values, commonName: '', side: 'East', parkId: '' });
  expect(Object.entries(error ? fieldErrors(error) : {}).map(([name, message]) => [name, english(message)])).toEqual([
    ['commonName', 'Common name is required.'],
    ['side', 'Side is not valid.'],
    ['parkId', 'Park is required.'],
  ]);
});

test('a record’s output has the words of its choices, and no value only where there may be none', () => {
  const output = z.object(outputOf(tree.fields));
  expect(output.parse(values)).toEqual(values);
  expect(output.safeParse({ ...values, side: '' }).success).toBe(false);
  expect(output.safeParse({ ...values, parkId: null }).success).toBe(false);
});

test('the types of values follow from the declaration', () => {
  expectTypeOf<Entered<typeof tree.fields>['side']>().toEqualTypeOf<'North' | 'South'>();
  expectTypeOf<Stored<typeof tree.fields>['nextParkId']>().toEqualTypeOf<number | null>();
  const nullable = { park: field.ref(text`Park`, { to: parks, isNullable: true }) };
  expectTypeOf<Entered<typeof nullable>['park']>().toEqualTypeOf<number>();
  expectTypeOf<Stored<typeof nullable>['park']>().toEqualTypeOf<number | null>();
  // @ts-expect-error The column may be null, which the declaration of a note does not say.
  toWire(pick(tree.fields, 'note'), { note: null as string | null });
});

test('the history has what changed by label, hides what it must not keep, and names no chosen row', () => {
  const after = { ...values, commonName: 'Elm', parkId: 5, note: 'Hollow', isFelled: true };
  expect(changesOf(tree.fields, values, after)).toEqual({
    'Common name': 'Oak → Elm',
    Park: '…',
    Note: '– → ••••',
    Felled: 'No → Yes',
  });
  expect(changesOf(pick(tree.fields, 'commonName', 'plantedOn', 'note'), undefined, after)).toEqual({
    'Common name': 'Elm',
    Note: '••••',
  });
});

test('a new form is empty, and a field of two groups is refused', () => {
  expect(emptyValuesOf(pick(tree.fields, 'commonName', 'parkId', 'isFelled'))).toEqual({
    commonName: '',
    parkId: null,
    isFelled: false,
  });
  const group = { title: text`Kind`, fields: { name: field.text(text`Name`, { max: 9 }) } };
  const groups = { one: group, other: group };
  expect(() => defineRecord({ table: 'tree', read: [], change: [], groups })).toThrow('has the field name twice');
});

test('a row is shown by the schema of its contract, without text as an empty one and moments as text', () => {
  const shown = z.object({
    id: z.number(),
    commonName: z.string(),
    seenAt: z.string(),
    plantedOn: z.string(),
    height: z.nullable(z.number()),
    parks: z.number(),
  });
  const seen = {
    id: 1,
    common_name: 'Oak',
    seen_at: new Date('2026-03-04T05:06:07Z'),
    planted_on: null as string | null,
  };
  const row = { ...seen, height: null as number | null, secret: 'Hollow', parks: null as number | null };
  expect(toOutput(shown, row, { parks: 2 })).toEqual({
    id: 1,
    commonName: 'Oak',
    seenAt: '2026-03-04T05:06:07.000Z',
    plantedOn: '',
    height: null,
    parks: 2,
  });
  // @ts-expect-error The column may be null, and the contract shows a number.
  toOutput(shown, row, {});
  // @ts-expect-error What is computed is named as the contract names it.
  toOutput(shown, row, { parks: 2, park: 2 });
});
