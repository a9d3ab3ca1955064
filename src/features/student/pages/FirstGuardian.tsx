import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { useReadList } from '#kit/browser/data/read.ts';
import { ChoiceRow, ChoiceRows } from '#kit/browser/form/choices.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { translateOption } from '#kit/browser/text.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { omit, pick } from '#kit/contract/field.ts';
import { normalMobile } from '#kit/contract/fields.ts';
import { addStudentApi, firstGuardianFields } from '../contract/add.ts';
import { useAdultWords } from './adult-words.tsx';

type Known = OutputOf<typeof addStudentApi.known>;

/** What a choice fills in. */
type Choice = Record<'siblingId' | 'guardianId', string | null> & { isNewAdult: boolean };
const nobody: Choice = { siblingId: null, guardianId: null, isNewAdult: false };

/**
 * The adult to call first. A number that is known chooses the family of its adult, or else the adult; another adult with
 * the number is a choice of its own, with fields for the name.
 */
export function FirstGuardian() {
  const { values } = useApiForm();
  const mobile = normalMobile(String(values.guardianMobile ?? ''));
  const isWhole = /^[0-9]{10}$/.test(mobile);
  const known = useReadList(addStudentApi.known, { mobile }, isWhole);
  const adults = isWhole && !known.isPlaceholderData ? (known.data ?? []) : [];
  const isNew = adults.length === 0 || values.isNewAdult === true;
  return (
    <>
      <TextField name="guardianMobile" type="tel" inputMode="tel" width="medium" />
      <KnownAdults key={adults.length > 0 ? mobile : ''} adults={adults} />
      {isNew && <FieldControls fields={omit(firstGuardianFields, 'guardianMobile')} />}
      {values.guardianId !== null && <FieldControls fields={pick(firstGuardianFields, 'guardianRelationId')} />}
    </>
  );
}

function KnownAdults({ adults }: { adults: Known }) {
  const { t } = useLingui();
  const { values, change } = useApiForm();
  const wordsOf = useAdultWords();
  const families = new Map(adults.flatMap(({ family }) => (family ? [[family.siblingId, family]] : [])));
  const several = [...families.values()].filter((family) => family.adults.length > 1);
  const choices: { key: string; label: string; choice: Choice }[] = [
    ...several.map((family) => {
      const children = family.children.join(', ');
      const people = family.adults.map(({ name, relation }) => `${name} (${translateOption(relation)})`).join(', ');
      return {
        key: `family-${family.siblingId}`,
        label: t`The family of ${children}: link ${people}`,
        choice: { ...nobody, siblingId: String(family.siblingId) },
      };
    }),
    ...adults.map((adult) => {
      const words = wordsOf(adult);
      return {
        key: `adult-${adult.id}`,
        label: several.length > 0 ? t`Only ${words}` : words,
        choice: { ...nobody, guardianId: String(adult.id) },
      };
    }),
    { key: 'new', label: t`Another adult with this number`, choice: { ...nobody, isNewAdult: true } },
  ];
  const take = (choice: Choice) => {
    // Only what differs: an empty form closes without a question.
    for (const [name, value] of Object.entries(choice)) if (values[name] !== value) change(name, value);
  };
  // One family or one adult is chosen until the user chooses otherwise; of several adults nobody is.
  const preset = several.length === 1 || (several.length === 0 && adults.length === 1) ? choices[0]?.choice : undefined;
  const wanted = JSON.stringify(adults.length === 0 ? nobody : (preset ?? nobody));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `change` is a new function with each value.
  useEffect(() => take(JSON.parse(wanted) as Choice), [wanted]);
  const first = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    // The fields of a new adult are gone, perhaps with the focus.
    if (document.activeElement === document.body) first.current?.querySelector('input')?.focus();
  }, []);
  if (adults.length === 0) return null;
  const isChosen = (choice: Choice) =>
    Object.entries(choice).every(([name, value]) => String(values[name] ?? '') === String(value ?? ''));
  return (
    <fieldset ref={first} className="question" aria-label={t`Whose number this is`}>
      <ChoiceRows>
        {choices.map(({ key, label, choice }) => (
          <ChoiceRow
            key={key}
            type="radio"
            id={`known-${key}`}
            name="known-adult"
            label={label}
            checked={isChosen(choice)}
            onChange={() => take(choice)}
          />
        ))}
      </ChoiceRows>
    </fieldset>
  );
}
