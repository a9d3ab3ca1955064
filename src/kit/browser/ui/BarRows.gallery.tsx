import { longLabel, type Section } from '#kit/browser/gallery/section.tsx';
import { BarRows } from './BarRows.tsx';

export const barRows: Section = {
  name: 'BarRows',
  states: {
    'With counts and a sum': (
      <BarRows
        says="Forty-two trees owe ₹3,600"
        rows={[
          { key: 'oak', label: 'Oak', value: 2400, shown: '2,400', count: 30, to: '/dev/kit' },
          { key: 'elm', label: 'Elm', value: 1200, shown: '1,200', count: 12 },
        ]}
        total={{ shown: '3,600', count: 42 }}
      />
    ),
    Stages: (
      <BarRows
        says="Two of nine seeds have grown"
        rows={[
          { key: 'sown', label: 'Sown', value: 9, shown: '9' },
          { key: 'grown', label: longLabel, value: 2, shown: '2' },
          { key: 'none', label: 'Felled', value: 0, shown: '0' },
        ]}
      />
    ),
  },
};
