import type { Section } from '#kit/browser/gallery/section.tsx';
import { longWords } from '#kit/browser/gallery/section.tsx';
import type { Chart as ChartData } from '#kit/contract/served-card.ts';
import { verbatim } from '#kit/contract/text.ts';
import { Chart } from './Chart.tsx';
import { ChartDrawing } from './ChartDrawing.tsx';

const months = ['Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec', 'Jan', 'Feb', 'Mar'];
const usual: ChartData = {
  kind: 'bars',
  says: verbatim('Twelve months: the most in October, the least in January'),
  unit: 'money',
  head: verbatim('Month'),
  series: [
    { label: verbatim('Received'), tone: 'accent' },
    { label: verbatim('Expected'), tone: 'warn' },
  ],
  points: months.map((month, index) => ({
    label: verbatim(month),
    values: [4_000_000 + ((index * 37) % 11) * 900_000, 9_000_000],
  })),
};
const one = { label: verbatim('Share'), tone: 'good' } as const;

export const chartSection: Section = {
  name: 'Chart',
  states: {
    'Bars, two series': <Chart chart={usual} />,
    Line: <Chart chart={{ ...usual, kind: 'line' }} />,
    'Line with a gap': (
      <Chart
        chart={{
          ...usual,
          kind: 'line',
          unit: 'number',
          series: [one],
          points: months.map((month, index) => ({ label: verbatim(month), values: [index === 4 ? null : 80 + index] })),
        }}
      />
    ),
    'Below zero': (
      <Chart
        chart={{
          ...usual,
          unit: 'number',
          series: [{ ...one, tone: 'info' }],
          points: months.slice(0, 5).map((month, index) => ({ label: verbatim(month), values: [index * 4 - 8] })),
        }}
      />
    ),
    'One point, long words': (
      <Chart
        chart={{ ...usual, series: [one], points: [{ label: verbatim(longWords), values: [0] }], unit: 'number' }}
      />
    ),
    'The drawing alone': <ChartDrawing chart={usual} />,
    'No points': <Chart chart={{ ...usual, points: [] }} />,
  },
};
