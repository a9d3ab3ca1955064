import { expect, test } from 'vitest';
import type { BrowserFeature } from '#kit/browser/feature.ts';

// Its type needs JSX, which the server side is compiled without.
const file: string = '../../app/features.browser.tsx';
const { features }: { features: readonly BrowserFeature[] } = await import(file);

test('P9.9 the page of a planted feature is routed', () => {
  expect(features.flatMap(({ pages }) => pages.map(({ path }) => path))).toContain('club/club-list');
});

test('P9.9 the act that a planted feature adds to a record of students, and its part of a page, are there', () => {
  expect(features.flatMap(({ recordActs }) => recordActs.map(({ record, key }) => [record, key]))).toContainEqual([
    'student',
    'club.join',
  ]);
  expect(features.flatMap(({ pageParts }) => pageParts.map(({ page, key }) => [page, key]))).toContainEqual([
    'fee/student-wise-fees-structure',
    'club',
  ]);
});
