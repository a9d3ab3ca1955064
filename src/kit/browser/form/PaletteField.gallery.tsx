import { ShownForm } from '#kit/browser/gallery/ShownForm.tsx';
import type { Section } from '#kit/browser/gallery/section.tsx';
import { oneOf, optionalOneOf } from '#kit/contract/fields.ts';
import { colours } from '#kit/contract/palette.ts';
import { text } from '#kit/contract/text.ts';
import { PaletteField } from './PaletteField.tsx';

const colour = oneOf(text`Colour of the leaves`, colours);

export const paletteField: Section = {
  name: 'PaletteField',
  states: {
    'Nothing chosen': (
      <ShownForm fields={{ paletteEmpty: colour }}>
        <PaletteField name="paletteEmpty" />
      </ShownForm>
    ),
    Chosen: (
      <ShownForm fields={{ paletteFilled: colour }} values={{ paletteFilled: 'Amber' }}>
        <PaletteField name="paletteFilled" hint="In November" />
      </ShownForm>
    ),
    'May be left out': (
      <ShownForm fields={{ paletteOptional: optionalOneOf(text`Colour of the leaves`, colours) }}>
        <PaletteField name="paletteOptional" />
      </ShownForm>
    ),
    Error: (
      <ShownForm fields={{ paletteWrong: colour }} errors={{ paletteWrong: text`Colour of the leaves is required.` }}>
        <PaletteField name="paletteWrong" />
      </ShownForm>
    ),
  },
};
