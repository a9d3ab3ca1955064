import { Trans } from '@lingui/react/macro';
import { useApiForm } from '#kit/browser/form/ApiForm.tsx';
import { Row, Rows } from '#kit/browser/form/choices.tsx';
import { translate } from '#kit/browser/text.ts';
import { type GrantedSet, grantedSets, setWords } from '../contract/access.ts';

/** The permission sets that an Admin gives; the others follow from the mapping. */
export function Sets() {
  const { values, change } = useApiForm();
  const held = values.sets as GrantedSet[];
  return (
    <fieldset className="question">
      <legend>
        <Trans>Permissions</Trans>
      </legend>
      <Rows columns="many">
        {grantedSets.map((set) => (
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
  );
}
