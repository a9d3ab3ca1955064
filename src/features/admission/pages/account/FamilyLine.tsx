import { Trans, useLingui } from '@lingui/react/macro';
import { use } from 'react';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { ApiFormContext, useApiForm, type Values } from '#kit/browser/form/form-context.ts';
import { translateOption } from '#kit/browser/text.ts';
import { Text } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PhoneLink } from '#kit/browser/ui/PhoneLink.tsx';
import { type Account, barredChoices, newAdult } from '../../contract/account.ts';
import { useKnownWords } from './known-words.tsx';

interface Props {
  account: Account;
}

/** Whether it must still be chosen who an adult is. */
export const isUndecided = ({ adults }: Account, values: Values = {}) =>
  adults.some(({ part, known, likely }) => !known && likely.length > 0 && !values[`${part}Is`]);

/** The child comes back with the record that it has, so that its family is there. */
const isSameChild = ({ returning }: Account, values: Values = {}) =>
  returning !== null && (returning.isSure || values.returning === 'The same child');

/** The adults of the form, with who they are to the school. */
export function FamilyWords({ account }: Props) {
  const { t } = useLingui();
  const form = use(ApiFormContext);
  const words = useKnownWords();
  if (isSameChild(account, form?.values))
    return (
      <p>
        <Trans>The family’s record doesn’t change.</Trans>
      </p>
    );
  return account.adults.map(({ part, name, relation, mobile, isFirst, known, likely }) => (
    <div key={part}>
      <p>
        <strong>{name}</strong>{' '}
        <span className="soft">
          {[translateOption(relation), isFirst && t`first contact`].filter(Boolean).join(', ')}
        </span>{' '}
        <PhoneLink mobile={mobile} />
      </p>
      {known && (
        <Text tone="soft" size={13}>
          <Trans>Known: {words(known)}</Trans>
        </Text>
      )}
      {!known && likely.length > 0 && !form?.values[`${part}Is`] && (
        <Text tone="warn" size={13}>
          <Trans>May be known to the school</Trans>
        </Text>
      )}
    </div>
  ));
}

/** The choices about adults whom the school may know, and about parents who live apart. */
export function FamilyFields({ account }: Props) {
  const { t } = useLingui();
  const { values } = useApiForm();
  const words = useKnownWords();
  if (isSameChild(account, values)) return null;
  return (
    <>
      {account.adults.map(
        ({ part, known, likely }) =>
          !known &&
          likely.length > 0 && (
            <SelectField
              key={part}
              name={`${part}Is`}
              options={[
                ...likely.map((adult) => ({ value: String(adult.id), label: words(adult) })),
                { value: newAdult, label: t`A new adult` },
              ]}
            />
          ),
      )}
      {account.isDivorced && (
        <>
          <Notice>
            <Trans>The parents live apart. Read the court order in the form.</Trans>
          </Notice>
          <SelectField name="barred" options={barredChoices} />
          {values.barred !== '' && values.barred !== 'Nobody' && <TextField name="restriction" long />}
        </>
      )}
    </>
  );
}
