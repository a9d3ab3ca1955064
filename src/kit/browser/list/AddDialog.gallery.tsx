import * as z from 'zod/mini';
import { TextField } from '#kit/browser/form/fields.tsx';
import { answered, done, refused } from '#kit/browser/gallery/answers.ts';
import { Opener, type Section } from '#kit/browser/gallery/section.tsx';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, optionalFreeText } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';
import { AddDialog } from './AddDialog.tsx';

const treeAt = (path: string) =>
  endpoint({
    method: 'POST',
    path,
    access: 'public',
    input: z.object({ name: freeText(text`Name`, 40), bed: optionalFreeText(text`Bed`, 20) }),
    output: z.object({ id: z.number() }),
  });
const added = answered(treeAt('/kit/add-tree'), done({ id: 1 }));
const taken = text`This name is already in use.`;
const notAdded = answered(treeAt('/kit/add-no-tree'), refused('invalid', taken, { fields: { name: taken } }));

const dialogFor = (title: string, operation: typeof added, onClose: () => void) => (
  <AddDialog
    title={title}
    endpoint={operation}
    initial={{ name: '', bed: '' }}
    keeps={['bed']}
    nameFields={['name']}
    onClose={onClose}
  >
    <TextField name="name" />
    <TextField name="bed" />
  </AddDialog>
);

export const addDialog: Section = {
  name: 'AddDialog',
  states: {
    Empty: <Opener words="Add a tree">{(close) => dialogFor('Add tree', added, close)}</Opener>,
    Refused: (
      <Opener words="Add a tree of a taken name">{(close) => dialogFor('Add another tree', notAdded, close)}</Opener>
    ),
  },
};
