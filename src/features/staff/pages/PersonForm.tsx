import { useLingui } from '@lingui/react/macro';
import type { RefObject } from 'react';
import type { Values } from '#kit/browser/form/ApiForm.tsx';
import { EditForm, type Newer } from '#kit/browser/form/EditForm.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { differencesOf } from '#kit/browser/record/versions.ts';
import { omit } from '#kit/contract/field.ts';
import { personFields, type StaffPerson, type StaffRecord, staffRecordApi } from '../contract/record.ts';

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
  const newerOf = (version: number, saved: StaffPerson, mine: Values): Newer => ({
    values: { ...saved },
    hiddenValues: { version, ...own(saved) },
    differences: differencesOf(personFields, { version, saved }, { ...mine, ...own(saved) }, ''),
  });
  return (
    <EditForm
      endpoint={staffRecordApi.update}
      label={t`Personal data`}
      initial={{ ...person }}
      hiddenValues={{ id, version, ...own(person) }}
      newerOf={(data, mine) => newerOf(Number(data.version), data.saved as StaffPerson, mine)}
      {...dialog}
    >
      <FieldControls fields={isOwn ? omit(personFields, 'mobile', 'email') : personFields} />
    </EditForm>
  );
}
