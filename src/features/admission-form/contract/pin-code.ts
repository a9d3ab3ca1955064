/** A place an Indian PIN code belongs to. `city` only where the first three digits mean one city. */
export interface PinCodeArea {
  city?: string;
  state: State;
}

/** The states and union territories, offered where a state is asked for; other countries have others. */
export const indianStates = [
  'Andaman and Nicobar Islands',
  'Andhra Pradesh',
  'Arunachal Pradesh',
  'Assam',
  'Bihar',
  'Chandigarh',
  'Chhattisgarh',
  'Dadra and Nagar Haveli and Daman and Diu',
  'Delhi',
  'Goa',
  'Gujarat',
  'Haryana',
  'Himachal Pradesh',
  'Jammu and Kashmir',
  'Jharkhand',
  'Karnataka',
  'Kerala',
  'Ladakh',
  'Lakshadweep',
  'Madhya Pradesh',
  'Maharashtra',
  'Manipur',
  'Meghalaya',
  'Mizoram',
  'Nagaland',
  'Odisha',
  'Puducherry',
  'Punjab',
  'Rajasthan',
  'Sikkim',
  'Tamil Nadu',
  'Telangana',
  'Tripura',
  'Uttar Pradesh',
  'Uttarakhand',
  'West Bengal',
] as const;
type State = (typeof indianStates)[number];

/** States by the first two digits, or by three where two do not decide (India Post's circles). */
const states: Record<string, State> = {
  ...named('Delhi', 11, 11),
  ...named('Haryana', 12, 13),
  ...named('Punjab', 14, 15),
  ...named('Himachal Pradesh', 17, 17),
  ...named('Uttar Pradesh', 20, 23),
  ...named('Uttar Pradesh', 27, 28),
  ...named('Rajasthan', 30, 34),
  ...named('Gujarat', 36, 39),
  ...named('Maharashtra', 41, 44),
  ...named('Madhya Pradesh', 45, 48),
  ...named('Chhattisgarh', 49, 49),
  ...named('Telangana', 50, 50),
  ...named('Andhra Pradesh', 51, 53),
  ...named('Karnataka', 56, 59),
  ...named('Tamil Nadu', 61, 64),
  ...named('Kerala', 67, 69),
  ...named('Odisha', 75, 77),
  ...named('Assam', 78, 78),
  ...named('Uttarakhand', 248, 249),
  ...named('Uttarakhand', 263, 263),
  ...named('Goa', 403, 403),
  ...named('West Bengal', 700, 736),
  ...named('Sikkim', 737, 737),
  ...named('West Bengal', 738, 743),
  ...named('Andaman and Nicobar Islands', 744, 744),
  ...named('Arunachal Pradesh', 790, 792),
  ...named('Meghalaya', 793, 794),
  ...named('Manipur', 795, 795),
  ...named('Mizoram', 796, 796),
  ...named('Nagaland', 797, 798),
  ...named('Tripura', 799, 799),
  ...named('Bihar', 800, 813),
  ...named('Jharkhand', 814, 816),
  ...named('Bihar', 821, 821),
  ...named('Jharkhand', 822, 822),
  ...named('Bihar', 823, 824),
  ...named('Jharkhand', 825, 835),
  ...named('Bihar', 841, 855),
  ...named('Jammu and Kashmir', 180, 193),
  ...named('Ladakh', 194, 194),
};

/** Cities whose three digits cover the city and little else. */
const cities: Record<string, [city: string, state: State]> = {
  110: ['New Delhi', 'Delhi'],
  226: ['Lucknow', 'Uttar Pradesh'],
  302: ['Jaipur', 'Rajasthan'],
  313: ['Udaipur', 'Rajasthan'],
  360: ['Rajkot', 'Gujarat'],
  361: ['Jamnagar', 'Gujarat'],
  364: ['Bhavnagar', 'Gujarat'],
  380: ['Ahmedabad', 'Gujarat'],
  390: ['Vadodara', 'Gujarat'],
  395: ['Surat', 'Gujarat'],
  400: ['Mumbai', 'Maharashtra'],
  411: ['Pune', 'Maharashtra'],
  440: ['Nagpur', 'Maharashtra'],
  452: ['Indore', 'Madhya Pradesh'],
  462: ['Bhopal', 'Madhya Pradesh'],
  500: ['Hyderabad', 'Telangana'],
  560: ['Bengaluru', 'Karnataka'],
  600: ['Chennai', 'Tamil Nadu'],
  641: ['Coimbatore', 'Tamil Nadu'],
  700: ['Kolkata', 'West Bengal'],
  800: ['Patna', 'Bihar'],
};

function named(state: State, first: number, last: number) {
  return Object.fromEntries(Array.from({ length: last - first + 1 }, (_, index) => [String(first + index), state]));
}

/**
 * The likely place of a PIN code: a suggestion, never a check (B29). Undefined for an invalid code and for ambiguous
 * leading digits. Union territories inside a state's numbers are not distinguished.
 */
export function placeOfPin(value: string): PinCodeArea | undefined {
  const pin = value.replace(/\s/g, '');
  if (!/^[1-9][0-9]{5}$/.test(pin)) return undefined;
  const [city, stateOfCity] = cities[pin.slice(0, 3)] ?? [];
  const state = stateOfCity ?? states[pin.slice(0, 3)] ?? states[pin.slice(0, 2)];
  return state === undefined ? undefined : { city, state };
}
