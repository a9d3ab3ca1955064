import { useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import type { Values } from '#kit/browser/form/ApiForm.tsx';
import { EditForm, type Newer } from '#kit/browser/form/EditForm.tsx';
import { FieldControl, TickRow } from '#kit/browser/form/FieldControl.tsx';
import { AddDialog } from '#kit/browser/list/AddDialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { activeField, emptyValues, enteredOf, type Master, type MasterRow, namedBy } from '#kit/contract/master.ts';
import { differencesOf, type SavedVersion, typedOf } from '../record/versions.ts';
import { translate } from '../text.ts';

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
      <Controls master={master} />
    </AddDialog>
  );
}

/** The controls of the fields that users fill in. */
const Controls = ({ master, ownId }: { master: Master; ownId?: number }) =>
  enteredOf(master).map(([name, field]) => {
    const isOfSelf = field.kind === 'ref' && field.to === 'self';
    const known = isOfSelf ? { ...field, to: namedBy(master) } : field;
    return <FieldControl key={name} name={name} field={known} without={isOfSelf ? ownId : undefined} />;
  });

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
          initial={typedOf(fieldsOf(master), row)}
          hiddenValues={{ id, version }}
          newerOf={(data, mine) => newerOf(master, data as unknown as SavedVersion, mine, t`As chosen below`)}
          close={close}
          isChanged={isChanged}
        >
          <Controls master={master} ownId={id} />
          <TickRow name="isActive" hint={t`Inactive entries can’t be chosen; existing records keep them.`} />
        </EditForm>
      )}
    </SideDialog>
  );
}

/** What the form of a row has: its fields, and whether it is active. */
const fieldsOf = (master: Master) => ({ ...Object.fromEntries(enteredOf(master)), isActive: activeField });

function newerOf(master: Master, saved: SavedVersion, mine: Values, asChosen: string): Newer {
  const fields = fieldsOf(master);
  const { version } = saved;
  return {
    values: typedOf(fields, saved.saved),
    hiddenValues: { version },
    differences: differencesOf(fields, saved, mine, asChosen),
  };
}
