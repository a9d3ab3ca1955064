import { ShownForm } from '#kit/browser/gallery/ShownForm.tsx';
import type { Section } from '#kit/browser/gallery/section.tsx';
import { calendarDay, wholeNumber } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { DateField } from './DateField.tsx';
import { MonthsField } from './MonthsField.tsx';

const day = calendarDay(text`Planted on`);
const age = wholeNumber(text`Age`, { least: 0, most: 300 });

export const dateField: Section = {
  name: 'DateField',
  states: {
    Empty: (
      <ShownForm fields={{ dayEmpty: day }}>
        <DateField name="dayEmpty" />
      </ShownForm>
    ),
    Filled: (
      <ShownForm fields={{ dayFilled: day }} values={{ dayFilled: '2026-11-21' }}>
        <DateField name="dayFilled" hint="It can be changed later." />
      </ShownForm>
    ),
    'No date yet': (
      <ShownForm fields={{ dayTyped: day }} values={{ dayTyped: '21 Nov' }}>
        <DateField name="dayTyped" />
      </ShownForm>
    ),
    Error: (
      <ShownForm fields={{ dayWrong: day }} errors={{ dayWrong: text`Planted on is required.` }}>
        <DateField name="dayWrong" />
      </ShownForm>
    ),
  },
};

export const monthsField: Section = {
  name: 'MonthsField',
  states: {
    Empty: (
      <ShownForm fields={{ ageEmpty: age }}>
        <MonthsField name="ageEmpty" />
      </ShownForm>
    ),
    Filled: (
      <ShownForm fields={{ ageFilled: age }} values={{ ageFilled: '66' }}>
        <MonthsField name="ageFilled" hint="On the first of June." />
      </ShownForm>
    ),
    Error: (
      <ShownForm
        fields={{ ageWrong: age }}
        values={{ ageWrong: '999' }}
        errors={{ ageWrong: text`Enter a whole number from 0 to 300.` }}
      >
        <MonthsField name="ageWrong" />
      </ShownForm>
    ),
  },
};
