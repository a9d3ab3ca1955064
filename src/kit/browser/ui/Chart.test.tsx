import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Chart as ChartData } from '#kit/contract/served-card.ts';
import { verbatim } from '#kit/contract/text.ts';
import { renderPage } from '#testing/render-page.tsx';
import { Chart } from './Chart.tsx';

const apples: ChartData = {
  kind: 'bars',
  says: verbatim('The most apples in May'),
  unit: 'money',
  head: verbatim('Month'),
  series: [
    { label: verbatim('Red'), tone: 'bad' },
    { label: verbatim('Green'), tone: 'good' },
  ],
  points: [
    { label: verbatim('Apr'), values: [10_000, 5_000] },
    { label: verbatim('May'), values: [20_000, null] },
  ],
};
const all = (selector: string) => [...document.querySelectorAll(selector)];

test('a chart is a picture with its sentence, and its table has the same values', async () => {
  renderPage(<Chart chart={apples} />);
  expect(await screen.findByRole('img', { name: 'The most apples in May' })).toBeTruthy();
  const words = all('details tr').map((row) => [...row.children].map((cell) => cell.textContent));
  expect(words).toEqual([
    ['Month', 'Red', 'Green'],
    ['Apr', '₹100.00', '₹50.00'],
    ['May', '₹200.00', '–'],
  ]);
});

test('a bar is as high as its value, and a missing value has none', async () => {
  renderPage(<Chart chart={apples} />);
  await waitFor(() => expect(all('rect[data-tone]')).toHaveLength(3));
  const heights = all('rect[data-tone="bad"]').map((bar) => Number(bar.getAttribute('height')));
  expect(heights[1]).toBeCloseTo(2 * (heights[0] ?? 0), 5);
});

test('a line leaves a gap where a value is missing', async () => {
  const points = [1, null, 3, 4].map((value) => ({ label: verbatim(String(value)), values: [value] }));
  const [series] = apples.series;
  renderPage(<Chart chart={{ ...apples, kind: 'line', series: series ? [series] : [], points }} />);
  await waitFor(() => expect(all('circle')).toHaveLength(3));
  const [line] = all('path[data-tone]');
  expect(line?.getAttribute('d')?.match(/M/g)).toHaveLength(2);
});
