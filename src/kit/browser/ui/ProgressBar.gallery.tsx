import type { Section } from '#kit/browser/gallery/section.tsx';
import { ProgressBar } from './ProgressBar.tsx';

export const progressBar: Section = {
  name: 'Progress bar',
  states: {
    Partly: <ProgressBar value={40} max={100} aria-label="Progress" />,
    'End unknown': <ProgressBar aria-label="Reading the file" />,
  },
};
