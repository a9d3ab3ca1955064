import { Trans } from '@lingui/react/macro';
import { useApiForm } from '#kit/browser/form/ApiForm.tsx';
import { Row, Rows, TickField } from '#kit/browser/form/choices.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { translate } from '#kit/browser/text.ts';
import { type PermissionSet, permissionSets, setWords } from '../contract/access.ts';

/** Role, username and permission sets. */
export function Rights() {
  const { values, change } = useApiForm();
  const held = values.sets as PermissionSet[];
  return (
    <>
      <TickField name="isStaff" />
      {values.isStaff === true && (
        <fieldset className="question">
          <legend>
            <Trans>Permissions</Trans>
          </legend>
          <Rows columns="many">
            {permissionSets.map((set) => (
              <Row
                key={set}
                type="checkbox"
                id={`set-${set}`}
                label={translate(setWords[set].name)}
                hint={translate(setWords[set].opens)}
                checked={held.includes(set)}
                onChange={(isHeld) => change('sets', isHeld ? [...held, set] : held.filter((other) => other !== set))}
              />
            ))}
          </Rows>
        </fieldset>
      )}
      <TickField name="isAdmin" />
      <TextField name="userName" autoComplete="off" required={values.isAdmin === true} />
    </>
  );
}
