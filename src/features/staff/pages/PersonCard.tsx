import { Trans, useLingui } from '@lingui/react/macro';
import { FormOpener } from '#kit/browser/form/RecordForm.tsx';
import { type Fact, Facts } from '#kit/browser/record/Facts.tsx';
import { factsOf } from '#kit/browser/record/facts-of.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { omit, pick } from '#kit/contract/field.ts';
import { personFields, type StaffRecord } from '../contract/record.ts';
import { PersonForm } from './PersonForm.tsx';

/** The person: everything for themselves and the keepers of the records, to colleagues what is on the card. */
export function PersonCard({ record }: { record: StaffRecord }) {
  const { t } = useLingui();
  const { card, person, isOwn, may } = record;
  // The name is the page's title, and the user's own addresses stand in the card on signing in.
  const shown = omit(personFields, 'name', ...(isOwn ? (['email', 'mobile'] as const) : []));
  const facts: Fact[] = person
    ? factsOf(shown, person)
    : [
        { label: t`Designation`, value: card.designation },
        { label: t`Department`, value: card.department },
        ...factsOf(pick(personFields, 'email'), card),
      ];
  const { name } = card;
  const edit = may.update && (
    <FormOpener title={t`Edit ${name}`} label={<Trans>Edit</Trans>}>
      {(onClose) => <PersonForm record={record} onClose={onClose} />}
    </FormOpener>
  );
  return (
    <RecordCard isWide title={person ? <Trans>Personal data</Trans> : <Trans>Contact</Trans>} actions={edit}>
      <Facts facts={facts} />
      {isOwn && !may.update && (
        <p className="soft">
          <Trans>To correct these details, ask an Admin.</Trans>
        </p>
      )}
    </RecordCard>
  );
}
