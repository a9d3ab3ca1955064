import { expect, test } from 'vitest';
import { placeOfPin } from './pin-code.ts';

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
