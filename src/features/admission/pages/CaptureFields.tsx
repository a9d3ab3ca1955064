import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { LastName } from '#features/school/ui/LastName.tsx';
import { ChoiceRow, ChoiceRows, TickField } from '#kit/browser/form/choices.tsx';
import { FieldControl, FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { Fold } from '#kit/browser/form/Fold.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { ErrorText } from '#kit/browser/form/question.tsx';
import { Grid } from '#kit/browser/ui/Layout.tsx';
import { omit, pick } from '#kit/contract/field.ts';
import { text } from '#kit/contract/text.ts';
import { childFields, type inquiryFields, officeFields, parentFields } from '../contract/record.ts';
import styles from './CaptureFields.module.css';
import { AgeReason, KnownFamily, KnownStudents, SameChild, useKnown } from './InquiryFields.tsx';

type Parent = 'father' | 'mother';
const other = { father: 'mother', mother: 'father' } as const;
const nameParts = ['FirstName', 'LastName'] as const;

/** What most inquiries of a school have in common. */
export const presetNames = ['academicYearId', 'branchId', 'programId', 'leadSourceId'] as const;
export type PresetName = (typeof presetNames)[number];

interface Props {
  /** The presets that the school or this device knows; the others are asked with the grade. */
  preset: readonly PresetName[];
  /** Their names, in words. */
  place: string;
}

/** A new inquiry in the order of a phone call: who calls, for which child, for which grade. The rest is folded. */
export function CaptureFields({ preset, place }: Props) {
  const { t } = useLingui();
  const { values, errors, change } = useApiForm();
  const known = useKnown();
  const [who, setWho] = useState<Parent>('father');
  const choose = (next: Parent) => {
    if (next === who) return;
    for (const part of ['Mobile', ...nameParts]) {
      change(`${next}${part}`, values[`${who}${part}`]);
      change(`${who}${part}`, values[`${next}${part}`]);
    }
    setWho(next);
  };
  const isAsked = (name: string) => !(preset as readonly string[]).includes(name);
  const places = pick(childFields, 'academicYearId', 'branchId', 'programId');
  const asked = Object.fromEntries(Object.entries(places).filter(([name]) => isAsked(name)));
  const folded = {
    ...(pick(
      parentFields,
      `${other[who]}Mobile`,
      `${other[who]}FirstName`,
      `${other[who]}LastName`,
      'fatherEmail',
      'motherEmail',
    ) as typeof parentFields),
    ...Object.fromEntries(Object.entries(places).filter(([name]) => !isAsked(name))),
    ...omit(officeFields, 'leadSourceId'),
  };
  return (
    <>
      <Grid columns={2} gap="0 16" align="start" className={`${styles.pair} ${styles.caller}`}>
        <TextField key={who} name={`${who}Mobile`} label={text`Mobile number`} required type="tel" inputMode="tel" />
        <fieldset className="question">
          <legend>
            <Trans>Caller</Trans>
          </legend>
          <ChoiceRows columns="pair">
            <ChoiceRow
              type="radio"
              id="caller-father"
              name="caller"
              label={t`Father`}
              checked={who === 'father'}
              onChange={() => choose('father')}
            />
            <ChoiceRow
              type="radio"
              id="caller-mother"
              name="caller"
              label={t`Mother`}
              checked={who === 'mother'}
              onChange={() => choose('mother')}
            />
          </ChoiceRows>
        </fieldset>
      </Grid>
      <KnownFamily known={known} />
      <CallerName key={who} who={who} />
      <Grid columns={2} gap="0 16" align="start" className={styles.pair}>
        <FieldControl name="firstName" field={childFields.firstName} />
        <div>
          <LastName />
        </div>
      </Grid>
      <div className={styles.gender}>
        <FieldControl name="gender" field={childFields.gender} />
      </div>
      <SameChild similar={known?.similar ?? []} />
      <KnownStudents students={known?.students ?? []} />
      <Grid columns={2} gap="0 16" align="start" className={styles.pair}>
        <FieldControl name="birthDate" field={childFields.birthDate} />
        <FieldControl name="gradeId" field={childFields.gradeId} />
      </Grid>
      <AgeReason age={known?.age} />
      {place && <p className={`soft ${styles.place}`}>{place}</p>}
      <FieldControls fields={asked} />
      <FieldControl name="leadSourceId" field={officeFields.leadSourceId} />
      <TickField name="sendsForm" hint={<Trans>By email where there is an address, else by SMS.</Trans>} />
      <Fold
        line={<Trans>More: other parent, email, quota, follow-up</Trans>}
        mustOpen={Object.keys(folded).some((name) => name in errors)}
      >
        <FieldControls fields={folded as typeof inquiryFields} />
      </Fold>
    </>
  );
}

/** The caller's name in one box, split at its last space; the child has the last name until it is changed. */
function CallerName({ who }: { who: Parent }) {
  const { t } = useLingui();
  const { values, errors, change } = useApiForm();
  const [first, last] = nameParts.map((part) => String(values[`${who}${part}`] ?? '')) as [string, string];
  const [typed, setTyped] = useState<string>();
  const name = `${who}FirstName`;
  const errorOf = nameParts.map((part) => errors[`${who}${part}`]).find(Boolean);
  const write = (words: string) => {
    setTyped(words);
    const whole = words.trim().replace(/\s+/g, ' ');
    const space = whole.lastIndexOf(' ');
    const newLast = space === -1 ? '' : whole.slice(space + 1);
    change(name, space === -1 ? whole : whole.slice(0, space));
    change(`${who}LastName`, newLast);
    if (values.lastName === '' || values.lastName === last) change('lastName', newLast);
  };
  return (
    <div className={`question${errorOf ? ' question-wrong' : ''}`}>
      <label htmlFor={name}>
        <Trans>Caller’s name</Trans>{' '}
        <span className="optional">
          <Trans>(optional)</Trans>
        </span>
      </label>
      <ErrorText id={`${name}-error`} error={errorOf} />
      <input
        className="box"
        id={name}
        name={name}
        autoComplete="off"
        aria-invalid={Boolean(errorOf)}
        aria-describedby={[errorOf && `${name}-error`, `${name}-split`].filter(Boolean).join(' ')}
        value={typed ?? [first, last].filter(Boolean).join(' ')}
        onChange={({ currentTarget }) => write(currentTarget.value)}
        onBlur={() => setTyped(undefined)}
      />
      <p className={`soft ${styles.split}`} id={`${name}-split`}>
        {last && t`First name ${first}, last name ${last}`}
      </p>
    </div>
  );
}
