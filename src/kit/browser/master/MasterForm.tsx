import { useLingui } from '@lingui/react/macro';
import { FieldControl, TickRow } from '#kit/browser/form/FieldControl.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { activeField, emptyValues, enteredOf, type Master, type MasterRow, namedBy } from '#kit/contract/master.ts';
import { typedOf } from '../record/versions.ts';
import { translate } from '../text.ts';

interface AddProps {
  master: Master;
  /** The initial values of a new row. */
  usual: Readonly<Record<string, unknown>>;
  onClose: () => void;
}

/** Adds rows of a master. What tells one list of rows from another, such as the year, stays for the next row. */
export function AddRow({ master, usual, onClose }: AddProps) {
  const { t } = useLingui();
  const kindOf = (name: string) => master.fields[name]?.kind;
  return (
    <RecordForm
      title={t`Add ${translate(master.singular)}`}
      about={master.description && translate(master.description)}
      endpoint={master.api.create}
      initial={{ ...emptyValues(master), ...usual }}
      next={{
        // The last one tells rows apart.
        keeps: master.key.slice(0, -1).filter((name) => kindOf(name) === 'ref' || kindOf(name) === 'oneOf'),
        nameFields: master.labelFields.filter((name) => kindOf(name) === 'text'),
      }}
      saved={(_, { isHeld }, usual) => (isHeld ? t`A second person decides.` : usual)}
      onClose={onClose}
    >
      <Controls master={master} />
    </RecordForm>
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
  const { id, version, displayName } = row;
  return (
    <RecordForm
      title={t`Edit ${displayName}`}
      endpoint={master.api.update}
      initial={typedOf(fieldsOf(master), row)}
      hiddenValues={{ id, version }}
      fields={fieldsOf(master)}
      of={displayName}
      saved={(_, { isHeld }) => (isHeld ? t`A second person decides.` : t`Saved.`)}
      onClose={onClose}
    >
      <Controls master={master} ownId={id} />
      <TickRow name="isActive" hint={t`Inactive entries can’t be chosen; existing records keep them.`} />
    </RecordForm>
  );
}

/** What the form of a row has: its fields, and whether it is active. */
const fieldsOf = (master: Master) => ({ ...Object.fromEntries(enteredOf(master)), isActive: activeField });
