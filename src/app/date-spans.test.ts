import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const first = /<DateField\s+name="(from|fromDay|firstDay|startsOn|effectiveFrom)"/;
const last = /<DateField\s+name="(to|toDay|until|untilDay|lastDay|endsOn|effectiveTo)"([^>]*)/g;

/** Spans that never are one day, and last days without a first one in their form. */
const others = [
  'calendar/pages/RollOver.tsx endsOn', // a year
  'staff/pages/EducationCard.tsx untilDay', // a post of years
  'teaching/pages/TeacherDialogs.tsx effectiveTo', // empty for the whole year
  'transport/pages/RouteTrips.tsx lastDay', // ends what has begun
];

test('the last day of a span that may be one day follows its first day, so that one day is typed once', () => {
  const typedTwice = globSync('src/features/**/*.tsx')
    .filter((file) => !file.endsWith('.test.tsx'))
    .flatMap((file) => {
      const page = readFileSync(file, 'utf8');
      if (!first.test(page)) return [];
      return [...page.matchAll(last)]
        .filter(([, , rest = '']) => !rest.includes('follows='))
        .map(([, name]) => `${file.replace('src/features/', '')} ${name}`);
    });
  expect(typedTwice.toSorted()).toEqual(others.toSorted());
});
