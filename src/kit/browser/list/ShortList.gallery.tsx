import * as z from 'zod/mini';
import { useRead } from '#kit/browser/data/read.ts';
import { answered, done, refused } from '#kit/browser/gallery/answers.ts';
import { longWords, Opener, type Section } from '#kit/browser/gallery/section.tsx';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field } from '#kit/contract/field.ts';
import { defineMaster } from '#kit/contract/master.ts';
import { text } from '#kit/contract/text.ts';
import { RemoveDialog } from './RemoveDialog.tsx';
import { ShortList } from './ShortList.tsx';

const ladders = defineMaster({
  table: 'ladder',
  path: '/kit/ladder',
  singular: text`ladder`,
  plural: text`ladders`,
  access: [],
  fields: { name: field.text(text`Name`, { max: 60 }) },
});
const ladder = z.object({
  id: z.number(),
  name: z.string(),
  isActive: z.boolean(),
  version: z.number(),
  rungs: z.array(z.string()),
});
const listAt = (path: string, rows: z.infer<typeof ladder>[]) =>
  answered(
    endpoint({
      method: 'GET',
      path,
      access: 'public',
      input: z.object({}),
      output: z.object({ rows: z.array(ladder) }),
    }),
    done({ rows }),
  );
const some = listAt('/kit/ladder/some', [
  { id: 1, name: 'Orchard', isActive: true, version: 1, rungs: ['Low', 'Middle', 'High'] },
  { id: 2, name: longWords, isActive: false, version: 1, rungs: [longWords] },
]);
const none = listAt('/kit/ladder/none', []);
const remove = answered(ladders.api.remove, refused('conflict', text`A tree needs this ladder.`));

function Ladders({ of, isReadOnly = false }: { of: typeof some; isReadOnly?: boolean }) {
  const add = { label: 'Add ladder', dialog: () => null };
  return (
    <ShortList
      title={isReadOnly ? 'Ladders to read' : of === none ? 'No ladders' : 'Ladders'}
      query={useRead(of, {})}
      columns={[{ head: 'Rungs', cell: ({ rungs }) => rungs.join(', ') }]}
      count={(rows) => `${rows} ladders`}
      empty={{ message: 'No ladders yet.', acts: [{ label: 'Add a usual one', dialog: () => null }] }}
      add={isReadOnly ? undefined : add}
      edit={() => () => null}
      acts={() => [{ label: 'Duplicate', dialog: () => null }]}
      history={ladders.api.history}
      remove={remove}
    />
  );
}

export const shortList: Section = {
  name: 'ShortList',
  states: {
    'Some records, one inactive': <Ladders of={some} />,
    'Only to read': <Ladders of={some} isReadOnly />,
    'No records': <Ladders of={none} />,
  },
};

export const removeDialog: Section = {
  name: 'RemoveDialog',
  states: {
    Refused: (
      <Opener words="Delete a ladder">
        {(close) => (
          <RemoveDialog
            endpoint={remove}
            row={{ id: 1, version: 1, displayName: 'Orchard' }}
            onClose={close}
            onRemoved={close}
          />
        )}
      </Opener>
    ),
  },
};
