import { useLingui } from '@lingui/react/macro';
import type { RefObject } from 'react';
import type { Values } from '#kit/browser/form/ApiForm.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { EditForm, type Newer } from '#kit/browser/form/EditForm.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { translate } from '#kit/browser/text.ts';
import {
  bloodGroups,
  genders,
  maritalStatuses,
  personLabels,
  personNames,
  type StaffPerson,
  type StaffRecord,
  staffRecordApi,
} from '../contract/record.ts';
import { showPersonal } from './person-words.ts';

interface Props {
  record: StaffRecord;
  close: () => void;
  isChanged: RefObject<boolean>;
}

/** Edits a person; keeps what two keepers enter at once. */
export function PersonForm({ record, ...dialog }: Props) {
  const { t } = useLingui();
  const { id, version, isOwn, person } = record;
  // One's own addresses are changed on the page itself, with a code.
  const own = (of: StaffPerson | null) => isOwn && { email: of?.email, mobile: of?.mobile };
  const newerOf = (saved: StaffPerson, hiddenValues: Values, mine: Values): Newer => ({
    values: { ...saved },
    hiddenValues: { ...hiddenValues, ...own(saved) },
    differences: differencesOf(saved, { ...mine, ...own(saved) }),
  });
  return (
    <EditForm
      endpoint={staffRecordApi.update}
      label={t`Personal data`}
      initial={{ ...person }}
      hiddenValues={{ id, version, ...own(person) }}
      newerOf={(data, mine) => newerOf(data.saved as StaffPerson, { version: data.version }, mine)}
      {...dialog}
    >
      <TextField name="name" />
      <TextField name="employeeNumber" width="medium" />
      {!isOwn && (
        <>
          <TextField name="mobile" type="tel" inputMode="tel" width="medium" />
          <TextField name="email" type="email" inputMode="email" />
        </>
      )}
      <SelectField name="gender" options={genders} />
      <DateField name="birthDate" />
      <SelectField name="bloodGroup" options={bloodGroups} />
      <SelectField name="maritalStatus" options={maritalStatuses} />
      <TextField name="personalEmail" type="email" inputMode="email" />
      <TextField name="address" long />
      <TextField name="emergencyName" />
      <TextField name="emergencyRelation" />
      <TextField name="emergencyMobile" type="tel" inputMode="tel" width="medium" />
      <TextField name="aadhaarLast4" inputMode="numeric" width="short" />
      <TextField name="panLast4" width="short" />
    </EditForm>
  );
}

const differencesOf = (saved: StaffPerson, mine: Values) =>
  personNames
    .filter((name) => saved[name] !== mine[name])
    .map((name) => ({
      label: translate(personLabels[name]),
      saved: showPersonal(name, saved[name]),
      mine: showPersonal(name, String(mine[name] ?? '')),
    }));
