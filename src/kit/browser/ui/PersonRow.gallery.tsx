import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { PersonRow, PersonRows } from './PersonRow.tsx';

export const personRow: Section = {
  name: 'PersonRow',
  states: {
    Usual: (
      <PersonRows>
        <PersonRow name="Nirav Desai" relation="gardener" mobile="5550001121" />
        <PersonRow name="Vihaan Desai" to="/dev/kit" relation="brother" detail="North side" />
      </PersonRows>
    ),
    'Long words': (
      <PersonRows>
        <PersonRow name={longWords} relation="gardener" mobile="5550001122" />
      </PersonRows>
    ),
  },
};
