import * as z from 'zod/mini';
import { answered, done, refused } from '#kit/browser/gallery/answers.ts';
import { Opener, type Section } from '#kit/browser/gallery/section.tsx';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { id } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';
import { FieldControls } from './FieldControl.tsx';
import { FormButtons, FormOpener, RecordForm } from './RecordForm.tsx';

const tree = {
  dialogName: field.text(text`Name`, { max: 40 }),
  dialogBed: field.text(text`Bed`, { max: 20, optional: true }),
};
const treeAt = (path: string) =>
  endpoint({
    method: 'POST',
    path,
    access: 'public',
    input: z.object({ ...inputOf(tree), version: id }),
    output: z.object({ id: z.number() }),
  });
const added = answered(treeAt('/kit/add-tree'), done({ id: 1 }));
const taken = text`This name is already in use.`;
const notAdded = answered(treeAt('/kit/add-no-tree'), refused('invalid', taken, { fields: { dialogName: taken } }));
const newer = { version: 2, saved: { dialogName: 'Oak', dialogBed: 'North' } };
const tooLate = answered(treeAt('/kit/edited'), refused('stale', text`This was changed.`, { data: newer }));

const initial = { dialogName: '', dialogBed: '' };
const elm = { dialogName: 'Elm', dialogBed: 'North' };

const adds = (title: string, operation: typeof added, onClose: () => void) => (
  <RecordForm
    title={title}
    endpoint={operation}
    initial={initial}
    hiddenValues={{ version: 1 }}
    next={{ keeps: ['dialogBed'], nameFields: ['dialogName'] }}
    onClose={onClose}
  >
    <FieldControls fields={tree} />
  </RecordForm>
);

export const recordForm: Section = {
  name: 'RecordForm',
  states: {
    Usual: (
      <FormOpener title="Edit Oak" label="Edit">
        {(onClose) => (
          <RecordForm title="Edit Oak" endpoint={added} initial={elm} hiddenValues={{ version: 1 }} onClose={onClose}>
            <FieldControls fields={tree} />
          </RecordForm>
        )}
      </FormOpener>
    ),
    'Saved second': (
      <FormOpener title="Edit Elm" label="Edit">
        {(onClose) => (
          <RecordForm
            title="Edit Elm"
            endpoint={tooLate}
            initial={elm}
            hiddenValues={{ version: 1 }}
            fields={tree}
            onClose={onClose}
          >
            <FieldControls fields={tree} />
          </RecordForm>
        )}
      </FormOpener>
    ),
    'One after the other': <Opener words="Add a tree">{(onClose) => adds('Add tree', added, onClose)}</Opener>,
    Refused: (
      <Opener words="Add a tree of a taken name">{(onClose) => adds('Add another tree', notAdded, onClose)}</Opener>
    ),
    Buttons: <FormButtons isSending={false} close={() => undefined} words="Save" />,
  },
};
