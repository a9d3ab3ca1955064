import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { queryClient } from '#kit/browser/data/read.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { OfOtherYears } from './OfOtherYears.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
});

const counts = (total: number) => ({ all: { total, isMore: false } });

test('U1.3 a search that finds nobody in the chosen year leads to the students of other years', async () => {
  fakeServer({ 'GET /api/student/count': ({ query }) => counts(query.yearId === '7' ? 0 : 1) });
  renderPage(<OfOtherYears yearId="7" />, '/page?search=Asha');
  const link = await screen.findByRole('link', { name: '1 student of other years' });
  expect(link.getAttribute('href')).toMatch(/search=Asha&yearId=0&tab=all/);
});
