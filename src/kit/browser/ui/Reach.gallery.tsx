import type { Section } from '#kit/browser/gallery/section.tsx';
import { Reach } from './Reach.tsx';

export const reach: Section = {
  name: 'Reach',
  states: {
    'A mobile number': <Reach name="Asha Shah" mobile="5550001070" />,
    None: <Reach name="Asha Shah" mobile="" />,
  },
};
