import { useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import type { Values } from '#kit/browser/form/ApiForm.tsx';
import { EditForm, type Newer } from '#kit/browser/form/EditForm.tsx';
import { AddDialog } from '#kit/browser/list/AddDialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { emptyValues, enteredOf, isActiveLabel, type Master, type MasterRow } from '#kit/contract/master.ts';
import { translate } from '../text.ts';
import { MasterField, TickRow } from './MasterField.tsx';
import { shown } from './shown.tsx';

interface AddProps {
  master: Master;
  /** The initial values of a new row. */
  usual: Values;
  onClose: () => void;
}

/** Adds rows of a master. What tells one list of rows from another, such as the year, stays for the next row. */
export function AddRow({ master, usual, onClose }: AddProps) {
  const { t } = useLingui();
  const kindOf = (name: string) => master.fields[name]?.kind;
  return (
    <AddDialog
      title={t`Add ${translate(master.singular)}`}
      about={master.description && translate(master.description)}
      endpoint={master.api.create}
      initial={{ ...emptyValues(master), ...usual }}
      keeps={master.key.filter((name) => kindOf(name) === 'ref' || kindOf(name) === 'oneOf')}
      nameFields={master.labelFields.filter((name) => kindOf(name) === 'text')}
      onClose={onClose}
    >
      <Fields master={master} />
    </AddDialog>
  );
}

/** The controls of the fields that users fill in. */
const Fields = ({ master, ownId }: { master: Master; ownId?: number }) =>
  enteredOf(master).map(([name, field]) => (
    <MasterField key={name} master={master} name={name} field={field} ownId={ownId} />
  ));

interface EditProps {
  master: Master;
  row: MasterRow;
  onClose: () => void;
}

/** Edits a row of a master. */
export function EditRow({ master, row, onClose }: EditProps) {
  const { t } = useLingui();
  const isChanged = useRef(false);
  const { id, version, displayName } = row;
  const title = t`Edit ${displayName}`;
  return (
    <SideDialog title={title} onClose={onClose} isChanged={isChanged}>
      {(close) => (
        <EditForm
          endpoint={master.api.update}
          label={title}
          initial={typedOf(master, row)}
          hiddenValues={{ id, version }}
          newerOf={(data, mine) => newerOf(master, data as unknown as Saved, mine, t`As chosen below`)}
          close={close}
          isChanged={isChanged}
        >
          <Fields master={master} ownId={id} />
          <TickRow name="isActive" hint={t`Inactive entries can’t be chosen; existing records keep them.`} />
        </EditForm>
      )}
    </SideDialog>
  );
}

/** The row that another user saved, with the names of the rows it refers to. */
interface Saved {
  version: number;
  saved: Values;
  names: Record<string, string>;
}

/** `asChosen` stands for an own choice from a list, of which the form has only the id. */
function newerOf(master: Master, { version, saved, names }: Saved, mine: Values, asChosen: string): Newer {
  const all = [
    ...enteredOf(master).map(([name, field]) => ({ name, label: field.label, field })),
    { name: 'isActive', label: isActiveLabel, field: undefined },
  ];
  const differences = all
    .filter(({ name }) => String(saved[name] ?? '') !== String(mine[name] ?? ''))
    .map(({ name, label, field }) => ({
      label: translate(label),
      saved: shown(field, saved[name], names[name]),
      mine: field?.kind === 'ref' ? asChosen : shown(field, mine[name]),
    }));
  return { values: typedOf(master, saved), hiddenValues: { version }, differences };
}

/** The values of the fields; boxes hold text. */
const typedOf = (master: Master, values: Values): Values =>
  Object.fromEntries(
    [...enteredOf(master).map(([name]) => name), 'isActive'].map((name) => {
      const value = values[name];
      return [name, typeof value === 'number' ? String(value) : value];
    }),
  );
