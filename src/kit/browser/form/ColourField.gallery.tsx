import { ShownForm } from '#kit/browser/gallery/ShownForm.tsx';
import type { Section } from '#kit/browser/gallery/section.tsx';
import { oneOf, optionalOneOf } from '#kit/contract/fields.ts';
import { colours } from '#kit/contract/palette.ts';
import { text } from '#kit/contract/text.ts';
import { ColourField } from './ColourField.tsx';

const colour = oneOf(text`Colour`, colours);

export const colourField: Section = {
  name: 'ColourField',
  states: {
    'Nothing chosen': (
      <ShownForm fields={{ colourEmpty: colour }}>
        <ColourField name="colourEmpty" />
      </ShownForm>
    ),
    'Chosen, and may be left out': (
      <ShownForm fields={{ colourFilled: optionalOneOf(text`Colour`, colours) }} values={{ colourFilled: 'Indigo' }}>
        <ColourField name="colourFilled" />
      </ShownForm>
    ),
    Error: (
      <ShownForm fields={{ colourWrong: colour }} errors={{ colourWrong: text`Colour is required.` }}>
        <ColourField name="colourWrong" />
      </ShownForm>
    ),
  },
};
