import { options } from '#kit/contract/text.ts';

/** A day that comes every year, as MM-DD. */
type Fixed = readonly [monthDay: string, name: string];

const national: readonly Fixed[] = [
  ['01-26', 'Republic Day'],
  ['04-14', 'Ambedkar Jayanti'],
  ['08-15', 'Independence Day'],
  ['10-02', 'Gandhi Jayanti'],
  ['12-25', 'Christmas'],
];

export const states = options(
  'Andhra Pradesh',
  'Assam',
  'Bihar',
  'Delhi',
  'Goa',
  'Gujarat',
  'Haryana',
  'Karnataka',
  'Kerala',
  'Madhya Pradesh',
  'Maharashtra',
  'Odisha',
  'Punjab',
  'Rajasthan',
  'Tamil Nadu',
  'Telangana',
  'Uttar Pradesh',
  'West Bengal',
);

const ofStates: Readonly<Record<string, readonly Fixed[]>> = {
  'Andhra Pradesh': [['01-14', 'Makar Sankranti']],
  Assam: [
    ['01-15', 'Magh Bihu'],
    ['04-15', 'Bohag Bihu'],
  ],
  Bihar: [['03-22', 'Bihar Day']],
  Goa: [['12-19', 'Goa Liberation Day']],
  Gujarat: [
    ['01-14', 'Uttarayan'],
    ['05-01', 'Gujarat Day'],
    ['10-31', 'Sardar Patel Jayanti'],
  ],
  Haryana: [['11-01', 'Haryana Day']],
  Karnataka: [
    ['01-14', 'Makar Sankranti'],
    ['11-01', 'Kannada Rajyotsava'],
  ],
  Maharashtra: [
    ['02-19', 'Shivaji Jayanti'],
    ['05-01', 'Maharashtra Day'],
  ],
  Odisha: [['04-01', 'Utkal Day']],
  Punjab: [['04-14', 'Vaisakhi']],
  Rajasthan: [['03-30', 'Rajasthan Day']],
  'Tamil Nadu': [
    ['01-15', 'Pongal'],
    ['04-14', 'Tamil New Year'],
  ],
  Telangana: [['06-02', 'Telangana Formation Day']],
  'West Bengal': [
    ['01-23', 'Netaji Jayanti'],
    ['04-15', 'Bengali New Year'],
  ],
};

/** Festivals, most of which follow the moon: near these dates, which each state announces itself. */
const festivals: readonly Fixed[] = [
  ['2026-08-28', 'Raksha Bandhan'],
  ['2026-09-04', 'Janmashtami'],
  ['2026-10-20', 'Dussehra'],
  ['2026-11-08', 'Diwali'],
  ['2026-11-24', 'Guru Nanak Jayanti'],
  ['2027-03-06', 'Maha Shivaratri'],
  ['2027-03-10', 'Eid ul-Fitr'],
  ['2027-03-22', 'Holi'],
  ['2027-03-26', 'Good Friday'],
  ['2027-04-15', 'Ram Navami'],
  ['2027-05-17', 'Eid ul-Adha'],
  ['2027-08-17', 'Raksha Bandhan'],
  ['2027-08-25', 'Janmashtami'],
  ['2027-10-09', 'Dussehra'],
  ['2027-10-29', 'Diwali'],
  ['2027-11-14', 'Guru Nanak Jayanti'],
];

interface Year {
  startsOn: string;
  endsOn: string;
}

/** The usual holidays of a state in a year, by date. Only the dates of the nation's are sure. */
export function usualHolidays({ startsOn, endsOn }: Year, state: string) {
  const [first, last] = [Number(startsOn.slice(0, 4)), Number(endsOn.slice(0, 4))];
  const years = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const yearly = (days: readonly Fixed[], of: 'nation' | 'state') =>
    days.flatMap(([monthDay, name]) => years.map((year) => ({ day: `${year}-${monthDay}`, name, of })));
  const all = [
    ...yearly(national, 'nation'),
    ...yearly(ofStates[state] ?? [], 'state'),
    ...festivals.map(([day, name]) => ({ day, name, of: 'festival' as const })),
  ]
    .filter(({ day }) => startsOn <= day && day <= endsOn)
    .sort((one, other) => one.day.localeCompare(other.day));
  // A day has one entry.
  return all.filter(({ day }, index) => all.findIndex((one) => one.day === day) === index);
}
