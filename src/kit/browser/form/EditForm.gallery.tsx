import * as z from 'zod/mini';
import { answered, refused } from '#kit/browser/gallery/answers.ts';
import type { Section } from '#kit/browser/gallery/section.tsx';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, id } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';
import { EditForm } from './EditForm.tsx';
import { FormDialog } from './FormDialog.tsx';
import { TextField } from './fields.tsx';

const path = '/kit/edited';
const tree = endpoint({
  method: 'PUT',
  path,
  access: 'public',
  input: z.object({ editedName: freeText(text`Name`, 40), version: id }),
  output: z.object({}),
});
const tooLate = answered(tree, refused('stale', text`This was changed.`, { data: { name: 'Oak', version: 2 } }));

export const editForm: Section = {
  name: 'EditForm',
  states: {
    'Saved second': (
      <FormDialog title="Edit Elm" label="Edit">
        {(close, isChanged) => (
          <EditForm
            endpoint={tooLate}
            label="Tree"
            initial={{ editedName: 'Elm' }}
            hiddenValues={{ version: 1 }}
            newerOf={({ name, version }, { editedName }) => ({
              values: { editedName: name },
              hiddenValues: { version },
              differences: [{ label: 'Name', saved: String(name), mine: String(editedName) }],
            })}
            close={close}
            isChanged={isChanged}
          >
            <TextField name="editedName" />
          </EditForm>
        )}
      </FormDialog>
    ),
  },
};
