import { longLabel, type Section } from '#kit/browser/gallery/section.tsx';
import { Figure, FigureLine } from './FigureLine.tsx';

export const figureLine: Section = {
  name: 'FigureLine',
  states: {
    Usual: (
      <FigureLine label="The garden today">
        <Figure title="Watered" value="92.6 %" before="94.1 % on 25 Nov 2026" to="/dev/kit" />
        <Figure title="Beds" value="34" of="of 36" late="Missing: North, South" />
        <Figure title="Owed" value="₹19,10,000" isLate before="197 trees" />
      </FigureLine>
    ),
    'Long words': (
      <FigureLine label="The wood today">
        <Figure title={longLabel} value="₹1,23,45,67,890" of={longLabel} before={longLabel} late={longLabel} />
      </FigureLine>
    ),
  },
};
