import type { Section } from '#kit/browser/gallery/section.tsx';
import { longWords } from '#kit/browser/gallery/section.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { stripTones } from '#kit/contract/served-card.ts';
import { Strip } from './Strip.tsx';

const days = Array.from({ length: 30 }, (_, index) => `2026-11-${String(index + 1).padStart(2, '0')}`);
const marks = { good: 'P', warn: 'L', bad: 'A', info: 'LV', none: '' };
const usual = days.map((day, index) => {
  const tone = index % 9 === 4 ? 'bad' : index === 7 ? 'warn' : index === 20 ? 'info' : index === 25 ? 'none' : 'good';
  return { day, tone, mark: marks[tone] } as const;
});

export const stripSection: Section = {
  name: 'Strip',
  states: {
    'Thirty days': <Strip says="30 days: 23 green, 4 red" cells={usual} />,
    'With its table': (
      <Strip says="30 days, with a table" cells={usual}>
        <ListRows caption="Days by month" heads={['Month', 'Green']} rows={[{ key: 1, cells: ['Nov 2026', '23'] }]} />
      </Strip>
    ),
    'Each tone': (
      <Strip
        says="One day of each tone"
        cells={stripTones.map((tone, index) => ({ day: days[index] ?? '', tone, mark: marks[tone] }))}
      />
    ),
    'One day, long words': <Strip says={longWords} cells={usual.slice(0, 1)} />,
  },
};
