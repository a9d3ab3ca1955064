import type { Section } from '#kit/browser/gallery/section.tsx';
import { colours } from '#kit/contract/palette.ts';
import { Swatch } from './Swatch.tsx';

export const swatch: Section = {
  name: 'Swatch',
  states: Object.fromEntries(colours.map((colour) => [colour, <Swatch key={colour} colour={colour} />])),
};
