import { Trans } from '@lingui/react/macro';
import { type GrantedSet, grantedSets, setWords } from '#access/contract/grants.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { useRead } from '#kit/browser/data/read.ts';
import { ChoiceRow, ChoiceRows } from '#kit/browser/form/choices.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { translate } from '#kit/browser/text.ts';
import type { Text } from '#kit/contract/text.ts';

/** The permission sets that an Admin grants, and the branches that they are limited to. */
export const Grants = () => (
  <>
    <Sets />
    <Branches />
  </>
);

/** The permission sets that an Admin grants. */
export function Sets() {
  const { values, change } = useApiForm();
  const held = values.sets as GrantedSet[];
  return (
    <fieldset className="question" aria-describedby="sets-hint">
      <legend>
        <Trans>Permissions</Trans>
      </legend>
      <p className="hint" id="sets-hint">
        <Trans>Teachers need none: their rights follow the Section Teacher Mapping.</Trans>
      </p>
      <ChoiceRows columns="many">
        {grantedSets.map((set) => (
          <ChoiceRow
            key={set}
            type="checkbox"
            id={`set-${set}`}
            label={translate(setWords[set].name)}
            hint={translate(setWords[set].opens)}
            checked={held.includes(set)}
            onChange={(isHeld) => change('sets', isHeld ? [...held, set] : held.filter((other) => other !== set))}
          />
        ))}
      </ChoiceRows>
    </fieldset>
  );
}

/** A school of one branch has no such question. */
function Branches() {
  const { values, change } = useApiForm();
  const branches = useRead(branchMaster.api.options, {});
  const held = values.branchIds as number[];
  const shown = branches.data?.filter(({ id, isActive }) => isActive || held.includes(id)) ?? [];
  if (shown.length < 2 && held.length === 0) return null;
  return (
    <fieldset className="question" aria-describedby="branches-hint">
      <legend>
        <Trans>Branches</Trans>
      </legend>
      <p className="hint" id="branches-hint">
        <Trans>Permissions apply to the selected branches, or to all branches if you select none.</Trans>
      </p>
      <ChoiceRows columns="many">
        {shown.map(({ id, name }) => (
          <ChoiceRow
            key={id}
            type="checkbox"
            id={`branch-${id}`}
            label={name}
            checked={held.includes(id)}
            onChange={(isHeld) => change('branchIds', isHeld ? [...held, id] : held.filter((other) => other !== id))}
          />
        ))}
      </ChoiceRows>
    </fieldset>
  );
}

/** The rights that follow from the mapping and from departments, with their source. */
export const DerivedRights = ({ derived }: { derived: readonly { source: Text }[] }) => (
  <ul>
    {derived.map(({ source }) => (
      <li key={translate(source)}>{translate(source)}</li>
    ))}
  </ul>
);
