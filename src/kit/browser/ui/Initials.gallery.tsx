import type { Section } from '#kit/browser/gallery/section.tsx';
import { Initials, Portrait } from './Initials.tsx';

const photo =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"%3E%3Cpath fill="%237d8885" d="M0 0h8v8H0z"/%3E%3C/svg%3E';

export const initials: Section = {
  name: 'Initials',
  states: {
    'Two words': <Initials name="Asha Trivedi" />,
    'One word': <Initials name="Ravi" />,
    'Another script': <Initials name="આરવ શાહ" />,
    Large: <Portrait name="Kiran D. Parmar" />,
    'A photo': <Initials name="Meena Chauhan" picture={photo} />,
    'A large photo': <Portrait name="Meena Chauhan" picture={photo} />,
  },
};
