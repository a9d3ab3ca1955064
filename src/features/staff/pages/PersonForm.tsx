import { Trans, useLingui } from '@lingui/react/macro';
import { type RefObject, useState } from 'react';
import { ApiForm, type Values } from '#kit/browser/form/ApiForm.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { FormButtons } from '#kit/browser/form/FormDialog.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { translate } from '#kit/browser/text.ts';
import { TwoVersions } from '#kit/browser/ui/TwoVersions.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
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
export function PersonForm({ record, close, isChanged }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const { id, isOwn } = record;
  const [start, setStart] = useState({ values: { ...record.person } as Values, version: record.version, take: 0 });
  const [newer, setNewer] = useState<{ saved: StaffPerson; version: number; mine: Values }>();
  const choose = (values: Values, version: number) => {
    setStart(({ take }) => ({ values, version, take: take + 1 }));
    setNewer(undefined);
  };
  // One's own addresses are changed on the page itself, with a code.
  const { email, mobile } = start.values;
  const own = isOwn ? { email, mobile } : {};
  return (
    <>
      {newer && (
        <TwoVersions
          differences={differencesOf(newer.saved, newer.mine)}
          onSaved={() => choose({ ...newer.saved }, newer.version)}
          onMine={() => choose(newer.mine, newer.version)}
        />
      )}
      <ApiForm
        // The form starts again from the version that is chosen.
        key={start.take}
        endpoint={staffRecordApi.update}
        initial={start.values}
        hiddenValues={{ id, version: start.version, ...own }}
        label={t`Personal data`}
        onStale={({ data }, mine) => setNewer({ ...(data as { saved: StaffPerson; version: number }), mine })}
        onDone={() => {
          close();
          toast({ kind: 'success', title: t`Saved.` });
        }}
        buttons={(isSending, hasChanged) => {
          // A version chosen after a conflict is not saved either.
          isChanged.current = hasChanged || start.take > 0;
          return <FormButtons isSending={isSending} close={close} words={<Trans>Save</Trans>} />;
        }}
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
      </ApiForm>
    </>
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
