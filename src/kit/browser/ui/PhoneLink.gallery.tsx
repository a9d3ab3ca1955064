import type { Section } from '#kit/browser/gallery/section.tsx';
import { PhoneLink } from './PhoneLink.tsx';

export const phoneLink: Section = {
  name: 'Phone link',
  states: {
    'A mobile number': <PhoneLink mobile="5550001070" />,
    None: <PhoneLink mobile="" />,
  },
};
