import { ShownForm } from '#kit/browser/gallery/ShownForm.tsx';
import type { Section } from '#kit/browser/gallery/section.tsx';
import { trees } from '#kit/browser/gallery/trees.ts';
import { neededId } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { OptionField } from './OptionField.tsx';

const tree = neededId(text`Tree`);

export const optionField: Section = {
  name: 'OptionField',
  states: {
    'A short list': (
      <ShownForm fields={{ treeFew: tree }} values={{ treeFew: '2' }}>
        <OptionField name="treeFew" options={trees.few} hint="It can be changed later." />
      </ShownForm>
    ),
    'A long list': (
      <ShownForm fields={{ treeMany: tree }} values={{ treeMany: '3' }}>
        <OptionField name="treeMany" options={trees.many} hint="It can be changed later." />
      </ShownForm>
    ),
    Error: (
      <ShownForm fields={{ treeWrong: tree }} errors={{ treeWrong: text`Tree is required.` }}>
        <OptionField name="treeWrong" options={trees.many} />
      </ShownForm>
    ),
  },
};
