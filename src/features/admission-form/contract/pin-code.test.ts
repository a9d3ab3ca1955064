import { expect, test } from 'vitest';
import { indianStates, placeOfPin } from './pin-code.ts';

test('B29 PIN 380001 is Ahmedabad in Gujarat; where only the state is sure, only the state is given', () => {
  expect(placeOfPin('380001')).toEqual({ city: 'Ahmedabad', state: 'Gujarat' });
  expect(placeOfPin('395 009')).toEqual({ city: 'Surat', state: 'Gujarat' });
  expect(placeOfPin('388001')).toEqual({ city: undefined, state: 'Gujarat' });
  expect(placeOfPin('700001')).toEqual({ city: 'Kolkata', state: 'West Bengal' });
});

test('what is no Indian PIN code, or names no single state, gives nothing', () => {
  for (const pin of ['', '38001', '0380001', '080001', 'abcdef', '999999', '160001']) {
    expect(placeOfPin(pin)).toBeUndefined();
  }
});

test('B29 three digits tell the state where two lie in several', () => {
  const stateOf = (pin: string) => placeOfPin(pin)?.state;
  expect(
    ['248001', '403001', '737101', '744101', '795001', '814112', '823001', '834001', '194101'].map(stateOf),
  ).toEqual([
    'Uttarakhand',
    'Goa',
    'Sikkim',
    'Andaman and Nicobar Islands',
    'Manipur',
    'Jharkhand',
    'Bihar',
    'Jharkhand',
    'Ladakh',
  ]);
});

test('the 28 states and 8 union territories are offered, each once and in order', () => {
  expect(indianStates).toHaveLength(36);
  expect(new Set(indianStates).size).toBe(36);
  expect([...indianStates].sort()).toEqual([...indianStates]);
});
