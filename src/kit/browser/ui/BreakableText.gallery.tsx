import type { Section } from '#kit/browser/gallery/section.tsx';
import { BreakableText } from './BreakableText.tsx';

export const breakableText: Section = {
  name: 'BreakableText',
  states: {
    Short: <BreakableText text="asha@oak.example" />,
    'Broken at @ and dots': <BreakableText text="venkata.raghavan_subramaniyam-iyer@a-long-subdomain.of.oak.example" />,
  },
};
