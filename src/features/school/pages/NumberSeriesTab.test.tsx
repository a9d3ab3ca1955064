import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { text } from '#kit/contract/text.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { NumberSeriesTab } from './NumberSeriesTab.tsx';

const inquiries = {
  id: 1,
  code: 'inquiry',
  words: text`Inquiries`,
  branch: '',
  prefix: 'INQ',
  pattern: '{prefix}/{AY}/{seq:5}',
  resetOn: 'academicYear',
  isGapless: true,
  nextValue: 1,
  isFixed: false,
  carriedValue: 1,
  rowVersion: 1,
};

test.each([
  ['', 'INQ/…/00001'],
  ['2026-27', 'INQ/2026-27/00001'],
])('in the academic year “%s” the next number is shown as %s', async (academicYear, number) => {
  const years = { academicYear, financialYear: '2026-27' };
  fakeServer({ 'GET /api/academic/number-series': { rows: [inquiries], years, ofBranches: [] } });
  renderPage(<NumberSeriesTab />);
  expect(await screen.findByText(number)).toBeTruthy();
});
