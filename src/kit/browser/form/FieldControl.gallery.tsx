import { ShownForm } from '#kit/browser/gallery/ShownForm.tsx';
import type { Section } from '#kit/browser/gallery/section.tsx';
import { trees } from '#kit/browser/gallery/trees.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { options, text } from '#kit/contract/text.ts';
import { FieldControl, FieldControls, TickRow } from './FieldControl.tsx';

const named = { table: 'tree', labelFields: ['name'], fields: {}, options: trees.few };
const tree = {
  treeName: field.text(text`Common name`, { max: 60, hint: text`As gardeners call it.` }),
  treeCode: field.text(text`Code`, { max: 4 }),
  treeKeeper: field.mobile(text`Mobile of the keeper`, { optional: true }),
  treeEmail: field.email(text`Email of the keeper`, { optional: true }),
  treeHeight: field.number(text`Height`, { least: 1, most: 90 }),
  treeWatered: field.time(text`Watered at`),
  treePlanted: field.date(text`Planted on`),
  treeSide: field.oneOf(text`Side`, { options: options('North', 'South') }),
  treeShade: field.oneOf(text`Shade`, { options: options('Deep', 'Light'), isRadio: true }),
  treeBirds: field.someOf(text`Birds`, { options: options('Owl', 'Crow') }),
  treeNext: field.ref(text`Next tree`, { to: named }),
  treeNote: field.longText(text`Note`, { max: 300, optional: true }),
  treeFelled: field.yesNo(text`Felled`),
};
const wrong = { treeWrongName: tree.treeName };
const ticked = { treeTicked: field.yesNo(text`Protected`) };

export const fieldControl: Section = {
  name: 'FieldControl',
  states: {
    'Each kind': (
      <ShownForm fields={inputOf(tree)}>
        <FieldControls fields={tree} />
      </ShownForm>
    ),
    Error: (
      <ShownForm fields={inputOf(wrong)} errors={{ treeWrongName: text`Common name is required.` }}>
        <FieldControl name="treeWrongName" field={wrong.treeWrongName} />
      </ShownForm>
    ),
    'A tick with a hint': (
      <ShownForm fields={inputOf(ticked)} values={{ treeTicked: true }}>
        <TickRow name="treeTicked" hint="It may not be felled." />
      </ShownForm>
    ),
  },
};
