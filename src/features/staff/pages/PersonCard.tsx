import { Trans, useLingui } from '@lingui/react/macro';
import { FormDialog } from '#kit/browser/form/FormDialog.tsx';
import { type Fact, Facts } from '#kit/browser/record/Facts.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translate } from '#kit/browser/text.ts';
import { BreakableText } from '#kit/browser/ui/BreakableText.tsx';
import { personLabels, personNames, type StaffRecord } from '../contract/record.ts';
import { PersonForm } from './PersonForm.tsx';
import { showPersonal } from './person-words.ts';

/** The person: everything for themselves and the keepers of the records, to colleagues what is on the card. */
export function PersonCard({ record }: { record: StaffRecord }) {
  const { t } = useLingui();
  const { card, person, isOwn, isKept } = record;
  const facts: Fact[] = person
    ? personNames
        // The name is the page's title, and the user's own addresses stand in the card on signing in.
        .filter((name) => name !== 'name' && !(isOwn && (name === 'email' || name === 'mobile')))
        .map((name) => ({
          label: translate(personLabels[name]),
          value: withBreaks(name, showPersonal(name, person[name])),
        }))
    : [
        { label: t`Designation`, value: card.designation },
        { label: t`Department`, value: card.department },
        { label: t`Email address`, value: withBreaks('email', card.email) },
      ];
  const { name } = card;
  const edit = isKept && (
    <FormDialog title={t`Edit ${name}`} label={<Trans>Edit</Trans>}>
      {(close, isChanged) => <PersonForm record={record} close={close} isChanged={isChanged} />}
    </FormDialog>
  );
  return (
    <RecordCard title={person ? <Trans>Personal data</Trans> : <Trans>Contact</Trans>} actions={edit}>
      <Facts facts={facts} />
      {isOwn && !isKept && (
        <p className="soft">
          <Trans>To correct these details, ask an Admin.</Trans>
        </p>
      )}
    </RecordCard>
  );
}

const withBreaks = (name: string, value: string) =>
  value && ['email', 'personalEmail'].includes(name) ? <BreakableText text={value} /> : value;
