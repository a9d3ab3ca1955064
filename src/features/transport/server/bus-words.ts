import { shortNames } from '#features/family/api.ts';
import { onDay, type Text, text } from '#kit/contract/text.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';

export interface Change {
  studentId: number;
  child: string;
  route: string;
  stop: string;
  time: string;
  vehicle: string;
  plate: string;
  driver: string;
  attendant: string;
}

export interface Missing {
  child: string;
  route: string;
}

interface Words {
  /** YYYY-MM-DD. */
  day: string;
  /** The last day; the same as `day` for one day. */
  until: string;
  children: string | Text;
  changes: readonly Omit<Change, 'studentId'>[];
  school: string;
  phone: string;
}

/** Each bus, driver or attendant once, in the order of the trips. */
const allOf = (changes: Words['changes'], name: 'vehicle' | 'plate' | 'driver' | 'attendant') =>
  [...new Set(changes.map((change) => change[name]))].join(' / ');

/** "24 Sept", "24 Sept until 28 Sept". */
const daysOf = (day: string, until: string, isShort = false) =>
  day === until
    ? onDay(day, isShort)
    : text`${{ date: onDay(day, isShort) }} until ${{ until: onDay(until, isShort) }}`;

const lineOf = ({ child, route, stop, time, vehicle, plate, driver, attendant }: Words['changes'][number]) =>
  text`${{ child }}, ${{ route }}: ${{ vehicle }}, ${{ plate }}, driver ${{ driver }}, attendant ${{ attendant }}, ${{ time }} at ${{ stop }}.`;

export function words({ day, until, children, changes, school, phone }: Words): Rendered {
  const [vehicle, plate] = [allOf(changes, 'vehicle'), allOf(changes, 'plate')];
  const [driver, attendant] = [allOf(changes, 'driver'), allOf(changes, 'attendant')];
  return {
    subject: text`Bus of ${{ children }}, ${{ days: daysOf(day, until) }}`,
    paragraphs: [
      text`Dear parent, the bus changes: ${{ days: daysOf(day, until) }}.`,
      ...changes.map(lineOf),
      text`${{ school }}: ${{ phone }}`,
    ],
    sms: text`Dear parent, the bus of ${{ children }}, ${{ days: daysOf(day, until, true) }}: ${{ vehicle }}, ${{ plate }}, driver ${{ driver }}, attendant ${{ attendant }}. ${{ school }}: ${{ phone }}`,
  };
}

/** After an act was undone of which the family has read. */
export function usualWords({ day, children, changes, school, phone }: Omit<Words, 'until'>): Rendered {
  const [vehicle, plate] = [allOf(changes, 'vehicle'), allOf(changes, 'plate')];
  const driver = allOf(changes, 'driver');
  return {
    subject: text`Bus of ${{ children }}, ${{ days: onDay(day) }}`,
    paragraphs: [
      text`Dear parent, the earlier message about the bus no longer counts: ${{ days: onDay(day) }}.`,
      ...changes.map(lineOf),
      text`${{ school }}: ${{ phone }}`,
    ],
    sms: text`Dear parent, the earlier message about the bus of ${{ children }} no longer counts. ${{ days: onDay(day, true) }}: ${{ vehicle }}, ${{ plate }}, driver ${{ driver }}. ${{ school }}: ${{ phone }}`,
  };
}

export function noneWords({
  day,
  until,
  children,
  missing,
  school,
  phone,
}: Omit<Words, 'changes'> & { missing: readonly Missing[] }): Rendered {
  const routes = [...new Set(missing.map(({ route }) => route))].join(' / ');
  return {
    subject: text`No bus for ${{ children }}, ${{ days: daysOf(day, until) }}`,
    paragraphs: [
      text`Dear parent, no bus comes: ${{ days: daysOf(day, until) }}.`,
      ...missing.map(({ child, route }) => text`${{ child }}, ${{ route }}: no bus.`),
      text`${{ school }}: ${{ phone }}`,
    ],
    sms: text`Dear parent, no bus for ${{ children }}, ${{ days: daysOf(day, until, true) }}: ${{ routes }}. ${{ school }}: ${{ phone }}`,
  };
}

const exampleDay = '2027-09-24';

const exampleChanges: Words['changes'] = [
  {
    child: 'Aarohi',
    route: 'Adajan to school',
    stop: 'Pal RTO',
    time: '06:52',
    vehicle: 'Bus 7',
    plate: 'GJ05AB1234',
    driver: 'Suresh Rathva',
    attendant: 'Rekha Vasava',
  },
];

export const busTexts: Record<string, TextMessage> = {
  'transport.changed': {
    when: text`When a child’s bus, driver or attendant is replaced for some days.`,
    example: ({ name, phone }) =>
      words({
        day: exampleDay,
        until: exampleDay,
        children: shortNames(['Aarohi', 'Dev']),
        changes: exampleChanges,
        school: name,
        phone,
      }),
  },
  'transport.none': {
    when: text`When a child has no bus on some days.`,
    example: ({ name, phone }) =>
      noneWords({
        day: exampleDay,
        until: exampleDay,
        children: shortNames(['Aarohi', 'Dev']),
        missing: [{ child: 'Aarohi', route: 'Adajan to school' }],
        school: name,
        phone,
      }),
  },
  'transport.usual': {
    when: text`When a change of a child’s bus is undone of which the family has read.`,
    example: ({ name, phone }) =>
      usualWords({
        day: exampleDay,
        children: shortNames(['Aarohi', 'Dev']),
        changes: exampleChanges,
        school: name,
        phone,
      }),
  },
};
