import { expect, test } from 'vitest';
import { mergedOf } from './merge-parts.ts';

const fields = ['firstName', 'firstNameLocal', 'lastName', 'lastNameLocal', 'email'] as const;
const arav = { firstName: 'Arav', firstNameLocal: '', lastName: 'Shah', lastNameLocal: '', email: '' };
const aarav = {
  firstName: 'Aarav',
  firstNameLocal: 'આરવ',
  lastName: 'Shah',
  lastNameLocal: 'શાહ',
  email: 'a@b.example',
};
const merge = (kept: typeof arav, retired: typeof arav, chosen: string[] = []) =>
  mergedOf(fields, { kept, retired, chosen });

test('a name in local script is filled in where the name in English letters is the same', () => {
  expect(merge(arav, aarav)).toEqual({
    taken: ['lastNameLocal', 'email'],
    merged: { ...arav, lastNameLocal: 'શાહ', email: 'a@b.example' },
  });
});

test('a name that is taken over brings its local script along, and leaves none of the other name', () => {
  expect(merge(arav, aarav, ['firstName']).merged).toEqual(aarav);
  expect(merge(aarav, { ...arav, firstName: 'Arav' }, ['firstName']).merged).toEqual({
    ...aarav,
    firstName: 'Arav',
    firstNameLocal: '',
  });
});

test('a local script that a person chose is taken, whatever the name beside it', () => {
  const said = { ...arav, firstNameLocal: 'અરવ' };
  expect(merge(said, aarav, ['firstNameLocal']).merged.firstNameLocal).toBe('આરવ');
});
