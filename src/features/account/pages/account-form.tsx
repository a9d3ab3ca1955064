import { Trans } from '@lingui/react/macro';
import { branchMaster } from '#features/school/contract/masters.ts';
import { useRead } from '#kit/browser/data/read.ts';
import { useApiForm } from '#kit/browser/form/ApiForm.tsx';
import { Row, Rows, TickField } from '#kit/browser/form/choices.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { Sets } from '../ui/Sets.tsx';

/** Role, permission sets, their branches, and the username. */
export function Rights() {
  const { values } = useApiForm();
  return (
    <>
      <TickField name="isStaff" />
      {values.isStaff === true && (
        <>
          <Sets />
          <Branches />
        </>
      )}
      <TickField name="isAdmin" />
      <TextField name="userName" autoComplete="off" required={values.isAdmin === true} />
    </>
  );
}

/** The branches that the permissions are limited to; a school of one branch has no such question. */
function Branches() {
  const { values, change } = useApiForm();
  const branches = useRead(branchMaster.api.options, {});
  const held = values.branchIds as number[];
  const shown = branches.data?.filter(({ id, isActive }) => isActive || held.includes(id)) ?? [];
  if (shown.length < 2) return null;
  return (
    <fieldset className="question" aria-describedby="branches-hint">
      <legend>
        <Trans>Branches</Trans>
      </legend>
      <p className="hint" id="branches-hint">
        <Trans>Permissions apply to the selected branches, or to all branches if you select none.</Trans>
      </p>
      <Rows columns="many">
        {shown.map(({ id, name }) => (
          <Row
            key={id}
            type="checkbox"
            id={`branch-${id}`}
            label={name}
            checked={held.includes(id)}
            onChange={(isHeld) => change('branchIds', isHeld ? [...held, id] : held.filter((other) => other !== id))}
          />
        ))}
      </Rows>
    </fieldset>
  );
}
