import { Trans } from '@lingui/react/macro';
import { ChoiceRow, ChoiceRows } from '#kit/browser/form/choices.tsx';
import { translate } from '#kit/browser/text.ts';
import { isDay, showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { mergeApi } from '../contract/merge.ts';

interface Props {
  fields: OutputOf<typeof mergeApi.compare>['fields'];
  /** What the other record is called. */
  other: string;
  taken: readonly string[];
  onTake: (taken: string[]) => void;
}

const shown = (value: string) => (isDay(value) ? showDate(value) : value);

/** The entries that both records of a merge have filled in otherwise: one of each is chosen. */
export function ChooseFields({ fields, other, taken, onTake }: Props) {
  const chosen = fields.filter(({ kept, retired }) => kept !== '' && retired !== '');
  if (chosen.length === 0)
    return (
      <p className="soft">
        <Trans>The records agree. Missing entries are copied from the other record.</Trans>
      </p>
    );
  return chosen.map(({ name, label, kept, retired }) => (
    <fieldset key={name}>
      <legend>{translate(label)}</legend>
      <ChoiceRows columns="pair">
        <ChoiceRow
          type="radio"
          id={`${name}-kept`}
          name={name}
          label={shown(kept)}
          checked={!taken.includes(name)}
          onChange={() => onTake(taken.filter((one) => one !== name))}
        />
        <ChoiceRow
          type="radio"
          id={`${name}-other`}
          name={name}
          label={shown(retired)}
          hint={other}
          checked={taken.includes(name)}
          onChange={() => onTake([...taken.filter((one) => one !== name), name])}
        />
      </ChoiceRows>
    </fieldset>
  ));
}
