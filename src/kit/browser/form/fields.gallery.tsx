import type { ReactNode } from 'react';
import type * as z from 'zod/mini';
import { ShownForm } from '#kit/browser/gallery/ShownForm.tsx';
import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { freeText, optionalFreeText, password } from '#kit/contract/fields.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import { PasswordField, SelectField, TextField } from './fields.tsx';

interface State {
  value?: string;
  error?: Text;
  isSending?: boolean;
}

const shown = (name: string, schema: z.ZodMiniType, draw: (name: string) => ReactNode, state: State = {}) => (
  <ShownForm
    fields={{ [name]: schema }}
    values={{ [name]: state.value ?? '' }}
    errors={state.error ? { [name]: state.error } : {}}
    isSending={state.isSending}
  >
    {draw(name)}
  </ShownForm>
);

const trees = freeText(text`Name of the tree`, 40, { required: text`Name of the tree is required.` });
const note = optionalFreeText(text`Note`, 250);
const secret = password(text`Password`, { least: 10, most: 200, words: {} });

export const textField: Section = {
  name: 'TextField',
  states: {
    Empty: shown('textEmpty', trees, (name) => <TextField name={name} />),
    'Filled, with a hint': shown('textFilled', trees, (name) => <TextField name={name} hint="As on its label" />, {
      value: 'Oak',
    }),
    Error: shown('textWrong', trees, (name) => <TextField name={name} hint="As on its label" />, {
      error: text`Name of the tree is required.`,
    }),
    'Odd, but accepted': shown(
      'textOdd',
      trees,
      (name) => <TextField name={name} warn={(value) => (value === 'oak' ? 'It begins with a small letter.' : '')} />,
      { value: 'oak' },
    ),
    'Optional and short': shown('textOptional', optionalFreeText(text`Number`, 6), (name) => (
      <TextField name={name} width="short" inputMode="numeric" />
    )),
    'With suggestions and offers': shown('textOffers', trees, (name) => (
      <TextField
        name={name}
        width="medium"
        suggestions={['Oak', 'Elm']}
        offers={[
          { label: 'Use Oak', take: () => undefined },
          { label: 'Use Elm', take: () => undefined },
        ]}
      />
    )),
    'Several lines, nearly full': shown('textLong', note, (name) => <TextField name={name} long />, {
      value: `${longWords} ${longWords}`,
    }),
    'Several lines, too long': shown('textTooLong', note, (name) => <TextField name={name} long />, {
      value: `${longWords} ${longWords} ${longWords}`,
      error: text`Note can have at most 250 characters.`,
    }),
    'Shows another field': (
      <ShownForm fields={{ textMirror: trees, textMirrored: trees }} values={{ textMirrored: 'Oak' }}>
        <TextField name="textMirror" mirrors="textMirrored" />
      </ShownForm>
    ),
    'While it is sent': shown('textSent', trees, (name) => <TextField name={name} />, {
      value: 'Oak',
      isSending: true,
    }),
    'Long words': shown(
      'textWords',
      freeText(verbatim(longWords), 200),
      (name) => <TextField name={name} hint={longWords} />,
      {
        value: longWords,
        error: verbatim(longWords),
      },
    ),
  },
};

export const passwordField: Section = {
  name: 'PasswordField',
  states: {
    Empty: shown('passwordEmpty', secret, (name) => <PasswordField name={name} autoComplete="new-password" />),
    Error: shown('passwordWrong', secret, (name) => <PasswordField name={name} autoComplete="new-password" />, {
      value: 'oak',
      error: text`Use at least 10 characters.`,
    }),
  },
};

const sides = ['North', 'South', 'East', 'West'];
const side = freeText(text`Side`, 40);

export const selectField: Section = {
  name: 'SelectField',
  states: {
    'Nothing chosen': shown('selectEmpty', side, (name) => <SelectField name={name} options={sides} />),
    Chosen: shown('selectFilled', side, (name) => <SelectField name={name} options={sides} width="medium" />, {
      value: 'South',
    }),
    Error: shown('selectWrong', side, (name) => <SelectField name={name} options={sides} />, {
      error: text`Side is required.`,
    }),
    Disabled: shown('selectDisabled', side, (name) => (
      <SelectField name={name} options={[]} disabled placeholder="Choose a garden first" />
    )),
    'Long words': shown(
      'selectWords',
      freeText(verbatim(longWords), 40),
      (name) => <SelectField name={name} options={[longWords]} />,
      {
        value: longWords,
      },
    ),
  },
};
