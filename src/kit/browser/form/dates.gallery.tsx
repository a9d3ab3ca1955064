import { ShownForm } from '#kit/browser/gallery/ShownForm.tsx';
import type { Section } from '#kit/browser/gallery/section.tsx';
import { birthDate } from '#kit/contract/fields.ts';
import { calendarDay, wholeNumber } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { BirthDateField } from './BirthDateField.tsx';
import { DateField } from './DateField.tsx';
import { MonthsField } from './MonthsField.tsx';

const born = birthDate(text`Birth date`);
const day = calendarDay(text`Planted on`);
const age = wholeNumber(text`Age`, { least: 0, most: 300 });

export const birthDateField: Section = {
  name: 'BirthDateField',
  states: {
    Empty: (
      <ShownForm fields={{ birthEmpty: born }}>
        <BirthDateField name="birthEmpty" />
      </ShownForm>
    ),
    Filled: (
      <ShownForm fields={{ birthFilled: born }} values={{ birthFilled: '1988-03-12' }}>
        <BirthDateField name="birthFilled" />
      </ShownForm>
    ),
    Error: (
      <ShownForm
        fields={{ birthWrong: born }}
        values={{ birthWrong: '1988-13-12' }}
        errors={{ birthWrong: text`Enter a valid date, such as 21-11-2026.` }}
      >
        <BirthDateField name="birthWrong" />
      </ShownForm>
    ),
  },
};

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
