import { useState } from 'react';
import { ShownForm } from '#kit/browser/gallery/ShownForm.tsx';
import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { freeText, tick, yesNo } from '#kit/contract/fields.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import { ChoiceRow, ChoiceRows, RadioField, TickField, TicksField, YesNoField } from './choices.tsx';

const sides = ['North', 'South', 'East'];
const side = freeText(text`Side`, 40);
const isOld = yesNo(text`Is it older than you?`);
const agreed = tick(text`I have watered it`);

export const radioField: Section = {
  name: 'RadioField',
  states: {
    'Nothing chosen': (
      <ShownForm fields={{ radioEmpty: side }}>
        <RadioField name="radioEmpty" options={sides} />
      </ShownForm>
    ),
    Chosen: (
      <ShownForm fields={{ radioFilled: side }} values={{ radioFilled: 'South' }}>
        <RadioField name="radioFilled" options={sides} hint="Where it stands" />
      </ShownForm>
    ),
    Error: (
      <ShownForm fields={{ radioWrong: side }} errors={{ radioWrong: text`Side is required.` }}>
        <RadioField name="radioWrong" options={sides} />
      </ShownForm>
    ),
    'Long words': (
      <ShownForm fields={{ radioWords: freeText(verbatim(longWords), 40) }}>
        <RadioField name="radioWords" options={[longWords, 'Short']} />
      </ShownForm>
    ),
  },
};

export const yesNoField: Section = {
  name: 'YesNoField',
  states: {
    'Not answered': (
      <ShownForm fields={{ yesNoEmpty: isOld }} values={{ yesNoEmpty: null }}>
        <YesNoField name="yesNoEmpty" />
      </ShownForm>
    ),
    Answered: (
      <ShownForm fields={{ yesNoFilled: isOld }} values={{ yesNoFilled: true }}>
        <YesNoField name="yesNoFilled" />
      </ShownForm>
    ),
    Error: (
      <ShownForm
        fields={{ yesNoWrong: isOld }}
        values={{ yesNoWrong: null }}
        errors={{ yesNoWrong: text`Please answer: Is it older than you?` }}
      >
        <YesNoField name="yesNoWrong" />
      </ShownForm>
    ),
  },
};

export const tickField: Section = {
  name: 'TickField',
  states: {
    'Not ticked': (
      <ShownForm fields={{ tickEmpty: agreed }}>
        <TickField name="tickEmpty" />
      </ShownForm>
    ),
    Ticked: (
      <ShownForm fields={{ tickFilled: agreed }} values={{ tickFilled: true }}>
        <TickField name="tickFilled" hint="At least once" />
      </ShownForm>
    ),
    Error: (
      <ShownForm fields={{ tickWrong: agreed }} errors={{ tickWrong: text`Please water it first.` }}>
        <TickField name="tickWrong" />
      </ShownForm>
    ),
  },
};

export const ticksField: Section = {
  name: 'TicksField',
  states: {
    'Nothing ticked': (
      <ShownForm fields={{ ticksEmpty: side }}>
        <TicksField name="ticksEmpty" options={sides} />
      </ShownForm>
    ),
    'Two ticked': (
      <ShownForm fields={{ ticksFilled: side }} values={{ ticksFilled: 'North,East' }}>
        <TicksField name="ticksFilled" options={sides} />
      </ShownForm>
    ),
    Error: (
      <ShownForm fields={{ ticksWrong: side }} errors={{ ticksWrong: text`Side is required.` }}>
        <TicksField name="ticksWrong" options={[...sides, longWords]} />
      </ShownForm>
    ),
  },
};

function TickedRow({ id, label, hint }: { id: string; label: string; hint?: string }) {
  const [isTicked, setTicked] = useState(false);
  return <ChoiceRow type="checkbox" id={id} label={label} hint={hint} checked={isTicked} onChange={setTicked} />;
}

export const row: Section = {
  name: 'Row',
  states: {
    'With more words': <TickedRow id="row-hint" label="Oak" hint="The oldest one" />,
    'Long words': <TickedRow id="row-words" label={longWords} hint={longWords} />,
  },
};

export const rows: Section = {
  name: 'Rows',
  states: {
    'Below each other': (
      <ChoiceRows>
        <TickedRow id="rows-oak" label="Oak" />
        <TickedRow id="rows-elm" label="Elm" />
      </ChoiceRows>
    ),
    'In two columns': (
      <ChoiceRows columns="many">
        <TickedRow id="rows-ash" label="Ash" />
        <TickedRow id="rows-fir" label="Fir" />
        <TickedRow id="rows-yew" label={longWords} />
      </ChoiceRows>
    ),
  },
};
