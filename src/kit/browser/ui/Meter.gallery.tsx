import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { Meter } from './Meter.tsx';

export const meter: Section = {
  name: 'Meter',
  states: {
    Empty: (
      <Meter label="Seats given" value={0} of={26}>
        0 of 26
      </Meter>
    ),
    Partly: (
      <Meter label="Seats given" value={10} of={26}>
        10 of 26
      </Meter>
    ),
    Full: (
      <Meter label="Seats given" value={26} of={26}>
        26 of 26
      </Meter>
    ),
    'None at all': (
      <Meter label="Seats given" value={0} of={0}>
        0 of 0
      </Meter>
    ),
    'Long words': (
      <Meter label="Seats given" value={3} of={4}>
        {longWords}
      </Meter>
    ),
  },
};
